// The canned reply menu of the composer: a slash opens it, typing filters it, Enter inserts a reply.
import type { CannedReply } from '@docent/contract'
import { type KeyboardEvent, useState } from 'react'
import { useTexts } from '../../../texts/texts.tsx'
import { fillReply, type ReplyNames, useCannedReplies } from '../../canned-replies/use-canned-replies.ts'

export const CANNED_ID = 'canned-replies'
export const cannedOptionId = (index: number) => `${CANNED_ID}-${index}`

/** Shown above the composer, which keeps the focus. */
export function CannedMenu({ menu }: { menu: ReturnType<typeof useCannedMenu> }) {
  const { team: texts } = useTexts()
  if (!menu.isOpen) return null
  if (menu.matches.length === 0) return <p className="canned small quiet">{texts.cannedNone}</p>
  return (
    <div id={CANNED_ID} className="canned" role="listbox" aria-label={texts.cannedReplies}>
      {menu.matches.map((reply, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the composer handles the keys
        <div
          key={reply.id}
          id={cannedOptionId(index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === menu.activeIndex}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => menu.pick(reply)}
        >
          <strong>/{reply.shortcut}</strong>
          <span className="quiet">{reply.text}</span>
        </div>
      ))}
    </div>
  )
}

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
