import { useState } from 'react'
import { hashText } from '../text/visitor-name.ts'

const COLOURS = 6

interface Props {
  name: string
  id: string
  small?: boolean
  /** URL of the picture. */
  src?: string | null | undefined
}

/** A picture, or initials on a colour derived from the id. */
export function Avatar({ name, id, small = false, src }: Props) {
  const [failedSrc, setFailedSrc] = useState('')
  if (src && src !== failedSrc)
    return <img className="face" data-small={small || undefined} src={src} alt="" onError={() => setFailedSrc(src)} />
  const texts = name.trim().split(/\s+/)
  const letters = [texts[0], texts.length > 1 ? texts.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '')
  return (
    <span className="face" data-small={small || undefined} data-colour={hashText(id) % COLOURS} aria-hidden="true">
      {letters.join('').toUpperCase() || '?'}
    </span>
  )
}
