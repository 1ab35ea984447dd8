// What is half-written, kept per conversation until sent or the tab is closed.
import { useState } from 'react'

export function useDraft(
  conversationId: string,
  part: 'reply' | 'note' | 'mentions',
): [string, (text: string) => void] {
  const name = `docent-draft-${part}-${conversationId}`
  const [text, setText] = useState(() => sessionStorage.getItem(name) ?? '')
  const keep = (next: string) => {
    setText(next)
    if (next) sessionStorage.setItem(name, next)
    else sessionStorage.removeItem(name)
  }
  return [text, keep]
}
