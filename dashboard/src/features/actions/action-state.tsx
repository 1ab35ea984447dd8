import type { Action } from '@docent/contract'
import { Status } from '../../ui/status.tsx'
import { originOf } from './action-draft.ts'
import { texts } from './action-texts.ts'

/** Whether visitors can use it. */
export function ActionState({ action }: { action: Action }) {
  return (
    <>
      {action.auth?.is_set === false && <Status tone="warn">{texts.authMissing}</Status>}
      <Status tone={action.state === 'live' ? 'good' : 'quiet'}>{texts.state[action.state]}</Status>
    </>
  )
}

/** What it calls: "GET shop.example". */
export function targetOf({ request }: Action): string {
  return request ? `${request.method} ${originOf(request.url)?.replace(/^https?:\/\//, '')}` : texts.savesLead
}
