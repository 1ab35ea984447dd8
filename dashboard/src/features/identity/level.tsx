import type { VisitorLevel } from '@docent/contract'
import { Status } from '../../ui/status.tsx'
import { texts } from './identity-texts.ts'

/** How much is known about who a visitor is; nothing for anonymous ones. */
export function Level({ level }: { level: VisitorLevel }) {
  if (level === 'anonymous') return null
  return (
    <span title={texts.levelHints[level]}>
      <Status tone={level === 'verified' ? 'good' : 'quiet'}>{texts.levels[level]}</Status>
    </span>
  )
}
