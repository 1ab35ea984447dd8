import type { PasswordResets } from '../../../access/passwords/reset-password.ts'
import { type RequestSite, requireOwnSite } from '../../../access/sessions/request-site.ts'
import type { Route } from '../../route.ts'

interface Deps {
  passwordResets: Pick<PasswordResets, 'request' | 'reset'>
  siteOf: RequestSite
}

export function passwordResetRoutes(route: Route, { passwordResets, siteOf }: Deps) {
  route('POST /api/manage/v1/password-reset/request', async ({ body, request }) => {
    requireOwnSite(siteOf(request.headers))
    await passwordResets.request(body.email, request.ip)
    return undefined
  })

  route('POST /api/manage/v1/password-reset', async ({ body, request }) => {
    requireOwnSite(siteOf(request.headers))
    const { token, password, revoke_tokens: revokesTokens = false } = body
    await passwordResets.reset(token, password, revokesTokens, request.ip)
    return undefined
  })
}
