import type { Note } from '@docent/contract'
import { Fragment } from 'react'
import { safeWebUrl, WebLink } from '../../text/plain-text.tsx'
import { mentionPatterns } from './mentions.ts'

/** A note with the members it mentions, and links. */
export function NoteText({ note: { text, mentions } }: { note: Note }) {
  // A node of the previous version sends none during an upgrade.
  const all = (mentions ?? []).map(({ name }) => name)
  const names = new Set(all.map((name) => `@${name}`))
  const pattern = new RegExp(`(${[...mentionPatterns(all), 'https?://[^\\s<>"\']+'].join('|')})`, 'iu')
  return (
    <p className="plain-text" dir="auto">
      {text.split(pattern).map((part, index) => (
        <Fragment key={index}>
          {names.has(part) ? (
            <strong className="mention">{part}</strong>
          ) : safeWebUrl(part) ? (
            <WebLink url={part} />
          ) : (
            part
          )}
        </Fragment>
      ))}
    </p>
  )
}
