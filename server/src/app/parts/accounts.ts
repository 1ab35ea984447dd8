// Accounts and log-in, with their routes.
import { Fault } from '@docent/contract'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { openEmailChanges, openOwnPassword } from '../../access/accounts.ts'
import type { Audit } from '../../access/audit.ts'
import { makeHostCookie, makeRequestSite, openKnownDevices, sessionCookie } from '../../access/cookies.ts'
import { makeAcceptInvitation, makeInvite } from '../../access/invitations.ts'
import { makeCheckCredentials, makeLogIn, openOwnWorkspaces } from '../../access/log-in.ts'
import { makeAlert } from '../../access/mails.ts'
import type { FindMember, FindWorkspace } from '../../access/managers.ts'
import { makeOidcLogIn, openOidcClient } from '../../access/oidc.ts'
import { makeFindRecoverableAccount, openPasswordResets } from '../../access/password-resets.ts'
import { openPasswords, type PasswordCost } from '../../access/passwords.ts'
import type { RateLimits } from '../../access/rate-limits.ts'
import { openSecondFactor } from '../../access/second-factor.ts'
import { makeReauthenticate, openSessions } from '../../access/sessions.ts'
import { openSetUp } from '../../access/set-up.ts'
import type { Config } from '../../config.ts'
import { accountRoutes, passwordResetRoutes } from '../../http/accounts.ts'
import { auditRoutes } from '../../http/audit.ts'
import { invitationRoutes, memberAccountRoutes } from '../../http/members.ts'
import { oidcRoutes } from '../../http/oidc.ts'
import type { Route } from '../../http/server/route.ts'
import { makeAdmit, makeOpenSession, makeSessionShape, sessionRoutes } from '../../http/sessions.ts'
import type { SendMail } from '../../mail.ts'
import type { SealedText } from '../../sealed-text.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Metrics } from '../../telemetry/metrics.ts'

/** Binding of the sealed cookie that tracks a log-in in progress. */
const OIDC_PLACE = 'OpenID log-in'

async function refusePassword(): Promise<never> {
  throw new Fault('password_login_disabled')
}

interface Deps {
  storage: Storage
  sealed: SealedText
  /** Null: email is not configured. */
  sendMail: SendMail | null
  config: Pick<Config, 'baseUrl' | 'widgetBaseUrl' | 'smtp' | 'oidc' | 'passwordLogin' | 'auditLogMs'>
  instanceWorkspaceId: string
  findWorkspace: FindWorkspace
  findMember: FindMember
  audit: Audit
  rateLimits: RateLimits
  metrics: Metrics
  logger: Logger
  passwordCost: PasswordCost | undefined
  clock: () => number
  onError: (error: unknown) => void
}

export function createAccountsPart(deps: Deps) {
  const { storage, sealed, sendMail, config, instanceWorkspaceId, findWorkspace, findMember, audit, metrics } = deps
  const { rateLimits, logger, passwordCost, clock, onError } = deps
  const { attempts } = rateLimits
  const { accounts, auditEntries, invitations, linkTokens, members, secondFactors, workspaces } = storage
  const { baseUrl, oidc, passwordLogin } = config
  const ssoName = oidc?.name ?? null
  const withPasswords = <Given extends unknown[], Result>(verb: (...given: Given) => Promise<Result>) =>
    passwordLogin ? verb : refusePassword

  const alert = makeAlert({ sendMail, clock, onError })
  const cookie = sessionCookie(baseUrl)
  const siteOf = makeRequestSite(baseUrl)
  const sessions = openSessions({ sessions: storage.sessions, cookie, siteOf, clock })
  const countCheck = (isRight: boolean) => metrics.count('docent_password_checks_total', { right: isRight })
  const passwords = openPasswords(countCheck, passwordCost)
  const secondFactor = openSecondFactor({ secondFactors, sealed, attempts, clock })
  const ownWorkspaces = openOwnWorkspaces({ members, workspaces, instanceWorkspaceId })
  const checkCredentials = makeCheckCredentials({ accounts, passwords, secondFactor, attempts, audit })
  const setUp = openSetUp({ accounts, linkTokens, passwords, sessions, workspaceId: instanceWorkspaceId, clock })
  const logIn = makeLogIn({ checkCredentials, ownWorkspaces, sessions, audit })
  const ownPassword = openOwnPassword({ accounts, passwords, attempts })
  const reauthenticate = makeReauthenticate({ passwords, secondFactor, sessions, attempts, audit })
  const findRecoverableAccount = makeFindRecoverableAccount({ accounts, members })
  const emailChanges = openEmailChanges({
    ...{ accounts, linkTokens, findRecoverableAccount, attempts, audit, alert, sendMail, baseUrl, clock },
  })
  const passwordResets = openPasswordResets({
    ...{ accounts, linkTokens, findRecoverableAccount, passwords, attempts, audit },
    ...{ alert, sendMail, baseUrl, clock, onError },
  })
  const invite = makeInvite({ members, invitations, attempts, sendMail, audit, alert, baseUrl, clock, onError })
  const acceptInvitation = makeAcceptInvitation({
    ...{ accounts, invitations, checkCredentials, passwords, sessions, audit, clock },
  })

  return {
    sessions,
    alert,
    /** For the link printed at start, while there is no instance owner. */
    makeSetUpToken: setUp.makeToken,

    routes(server: FastifyInstance, route: Route) {
      const widgetBaseUrl = config.widgetBaseUrl === config.baseUrl ? null : config.widgetBaseUrl
      const shape = makeSessionShape(ownWorkspaces, { smtp: sendMail !== null, ssoName, widgetBaseUrl })
      const devices = openKnownDevices({ baseUrl, sealed, clock })
      const admit = makeAdmit({ cookie, devices, siteOf, shape })
      sessionRoutes(route, {
        ...{ sessions, setUp, admit, shape, ownWorkspaces, cookie, audit, accounts, passwordLogin, ssoName },
        logIn: withPasswords(logIn),
        reauthenticate: withPasswords(reauthenticate),
      })
      accountRoutes(route, { accounts, emailChanges, ownPassword, secondFactor, audit, alert, passwordLogin })
      invitationRoutes(route, {
        ...{ invitations, invite, findWorkspace, admit, audit, clock },
        acceptInvitation: withPasswords(acceptInvitation),
      })
      const { request, reset } = passwordResets
      passwordResetRoutes(route, {
        passwordResets: { ...passwordResets, request: withPasswords(request), reset: withPasswords(reset) },
        siteOf,
      })
      if (oidc) {
        const onRefused = (reason: string, subject: string) =>
          logger.warn({ reason, subject }, 'single sign-on was refused')
        const shape = { name: 'docent_oidc', maxAgeSeconds: 600, pattern: /^[\w.-]{1,3000}$/ }
        oidcRoutes(server, {
          client: openOidcClient(oidc, `${baseUrl}/auth/oidc/callback`, clock),
          logIn: makeOidcLogIn(
            { accounts, members, invitations, passwords, ownWorkspaces, sessions, audit, alert, onRefused, clock },
            { ...oidc, workspaceId: oidc.workspaceId ?? instanceWorkspaceId },
          ),
          openSession: makeOpenSession({ cookie, devices }),
          cookie: makeHostCookie(baseUrl, shape),
          countWithin: rateLimits.countWithin,
          seal: (text) => sealed.seal(text, OIDC_PLACE),
          open: (text) => sealed.open(text, OIDC_PLACE),
          ...{ onError, clock },
        })
      }
      memberAccountRoutes(route, {
        passwordResets,
        emailChanges,
        findRecoverableAccount,
        secondFactor,
        findMember,
        audit,
        alert,
      })
      auditRoutes(route, { auditEntries, findWorkspace })
    },

    /** Removes expired records. */
    async forget() {
      const now = clock()
      await Promise.all([
        sessions.forget(),
        linkTokens.forget(now),
        invitations.forget(now),
        rateLimits.forget(),
        auditEntries.forget(now - config.auditLogMs),
      ])
    },
  }
}
