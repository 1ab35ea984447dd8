import type { PasswordResetter } from '../../../access/passwords/reset-password.ts'
import { type RequestSite, requireOwnSite } from '../../../access/sessions/request-site.ts'
import type { Route } from '../../route.ts'

interface Deps {
  passwordResetter: Pick<PasswordResetter, 'request' | 'reset'>
  siteOf: RequestSite
}

export function passwordResetRoutes(route: Route, { passwordResetter, siteOf }: Deps) {
  route('POST /api/manage/v1/password-reset/request', async ({ body, request }) => {
    requireOwnSite(siteOf(request.headers))
    await passwordResetter.request(body.email, request.ip)
    return undefined
  })

  route('POST /api/manage/v1/password-reset', async ({ body, request }) => {
    requireOwnSite(siteOf(request.headers))
    const { token, password, revoke_tokens: revokesTokens = false } = body
    await passwordResetter.reset(token, password, revokesTokens, request.ip)
    return undefined
  })
}
