// The caller's own account: name, email address, password, second factor.
import type { Account } from '@docent/contract'
import {
  beginSecondFactor,
  changeOwnPassword,
  confirmEmail,
  confirmSecondFactor,
  disableSecondFactor,
  renewRecoveryCodes,
  unlinkSso,
  updateAccount,
} from '../access/accounts.ts'
import { requireOwnSite } from '../access/cookies.ts'
import type { Context } from '../context.ts'
import type { AccountRecord } from '../storage/accounts.ts'
import type { Modules } from './modules.ts'
import type { Route } from './server/route.ts'

export function accountRoutes(route: Route, { storage }: Context, { access }: Pick<Modules, 'access'>) {
  const { emailChanges, ownPassword, secondFactor, audit, alert, passwordLogin } = access
  const deps = { accounts: storage.accounts, emailChanges, ownPassword, secondFactor, audit, alert, passwordLogin }

  route('PATCH /api/manage/v1/account', async ({ body, ...call }) => {
    const { account, pendingEmail } = await updateAccount(deps, call, body)
    return { ...toAccount(account), ...(pendingEmail === null ? {} : { pending_email: pendingEmail }) }
  })

  route('POST /api/manage/v1/account/email', async ({ body, ...call }) =>
    toAccount(await confirmEmail(deps, call, body.token)),
  )

  route('POST /api/manage/v1/account/password', async ({ body, ...call }) => {
    await changeOwnPassword(deps, call, body.current_password, body.new_password)
    return undefined
  })

  route('POST /api/manage/v1/account/two-factor', async (call) => beginSecondFactor(deps, call))

  route('POST /api/manage/v1/account/two-factor/confirm', async ({ body, ...call }) => ({
    recovery_codes: await confirmSecondFactor(deps, call, body.code),
  }))

  route('POST /api/manage/v1/account/two-factor/recovery-codes', async ({ body, ...call }) => ({
    recovery_codes: await renewRecoveryCodes(deps, call, body.code),
  }))

  route('DELETE /api/manage/v1/account/two-factor', async ({ body, ...call }) => {
    await disableSecondFactor(deps, call, body.password)
    return undefined
  })

  route('DELETE /api/manage/v1/account/sso', async (call) => {
    await unlinkSso(deps, call)
    return undefined
  })
}

function toAccount({ id, email, name, secondFactor, sso }: AccountRecord): Account {
  return { id, email, name, two_factor: secondFactor !== null, sso }
}

export function passwordResetRoutes(route: Route, { access }: Pick<Modules, 'access'>) {
  const { passwordResets, siteOf } = access

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
