// The canned reply menu of the composer: a slash opens it, typing filters it, Enter inserts a reply.
import type { CannedReply } from '@docent/contract'
import { type KeyboardEvent, useState } from 'react'
import { fillReply, type ReplyNames, useCannedReplies } from '../../canned-replies/use-canned-replies.ts'

// Only at the start or after a space, because dates and URLs have slashes too.
const COMMAND = /(^|\s)\/([\p{L}\p{N}_-]*)$/u
const MAX_SHOWN = 8

export function useCannedMenu(text: string, names: ReplyNames, onInsert: (text: string) => void) {
  const { items } = useCannedReplies()
  const [at, setAt] = useState(0)
  const [closedFor, setClosedFor] = useState<string | null>(null)
  const commandMatch = COMMAND.exec(text)
  const searchText = commandMatch?.[2]?.toLowerCase() ?? ''
  const isOpen = commandMatch !== null && items.length > 0 && closedFor !== text
  const matches = isOpen
    ? items
        .filter(
          (each) => each.shortcut.toLowerCase().includes(searchText) || each.text.toLowerCase().includes(searchText),
        )
        .slice(0, MAX_SHOWN)
    : []
  const activeIndex = Math.min(at, Math.max(matches.length - 1, 0))

  const pick = (reply: CannedReply) => {
    setAt(0)
    onInsert(text.replace(COMMAND, (_, before: string) => before + fillReply(reply, names)))
  }
  /** Returns whether the menu handled the key. */
  const onKeyDown = (event: KeyboardEvent): boolean => {
    const reply = matches[activeIndex]
    if (!isOpen) return false
    if (event.key === 'Escape') setClosedFor(text)
    else if (!reply) return false
    else if (event.key === 'ArrowDown') setAt((activeIndex + 1) % matches.length)
    else if (event.key === 'ArrowUp') setAt((activeIndex + matches.length - 1) % matches.length)
    else if (event.key === 'Enter' || event.key === 'Tab') pick(reply)
    else return false
    event.preventDefault()
    return true
  }
  return { isOpen, matches, activeIndex, pick, onKeyDown }
}
