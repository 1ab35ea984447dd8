import { hashOf } from '../text/visitor-name.ts'

const COLOURS = 6

/** The initials of somebody, in a colour that stays theirs. */
export function Avatar({ name, id, small = false }: { name: string; id: string; small?: boolean }) {
  const words = name.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '')
  return (
    <span className="face" data-small={small || undefined} data-colour={hashOf(id) % COLOURS} aria-hidden="true">
      {letters.join('').toUpperCase() || '?'}
    </span>
  )
}
