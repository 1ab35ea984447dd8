import type { Alert } from '../access/accounts/alert.ts'
import type { PasswordResetter } from '../access/accounts/reset-password.ts'
import { type RequestSite, requireOwnSite } from '../access/sessions/request-site.ts'
import type { Route } from './route.ts'

interface Deps {
  passwordResetter: Pick<PasswordResetter, 'request' | 'reset'>
  siteOf: RequestSite
  alert: Alert
}

export function passwordResetRoutes(route: Route, { passwordResetter, siteOf, alert }: Deps) {
  route('POST /api/manage/v1/password-reset/request', async ({ body, request }) => {
    requireOwnSite(siteOf(request.headers))
    await passwordResetter.request(body.email, request.ip)
    return undefined
  })

  route('POST /api/manage/v1/password-reset', async ({ body, request }) => {
    requireOwnSite(siteOf(request.headers))
    const { token, password, revoke_tokens: revokesTokens = false } = body
    const { id, email } = await passwordResetter.reset(token, password, revokesTokens, request.ip)
    alert({ caller: { actor: email, accountId: id }, request }, 'password_reset')
    return undefined
  })
}
