// Reply drafts, kept per conversation until sent or the tab is closed.
import { useState } from 'react'

export function useReplyDraft(conversationId: string): [string, (text: string) => void] {
  const name = `docent-draft-${conversationId}`
  const [text, setText] = useState(() => sessionStorage.getItem(name) ?? '')
  const keep = (next: string) => {
    setText(next)
    if (next) sessionStorage.setItem(name, next)
    else sessionStorage.removeItem(name)
  }
  return [text, keep]
}
