// Wires what lets people log in.
import { invitationAccepter } from '../access/accounts/accept-invitation.ts'
import { createAlert } from '../access/accounts/alert.ts'
import { createChangeEmail } from '../access/accounts/change-email.ts'
import { passwordChanger as createPasswordChanger } from '../access/accounts/change-password.ts'
import { credentialChecker } from '../access/accounts/check-credentials.ts'
import { inviter } from '../access/accounts/invite.ts'
import { logIn as createLogIn } from '../access/accounts/log-in.ts'
import { ownWorkspaces as createOwnWorkspaces } from '../access/accounts/own-workspaces.ts'
import { passwords as createPasswords } from '../access/accounts/passwords.ts'
import { passwordResetter as createPasswordResetter } from '../access/accounts/reset-password.ts'
import { ruledAccounts } from '../access/accounts/ruled-account.ts'
import { setUp as createSetUp } from '../access/accounts/set-up.ts'
import type { Audit } from '../access/audit.ts'
import type { FindMember, FindWorkspace } from '../access/managers.ts'
import { secondFactor as createSecondFactor } from '../access/second-factor/second-factor.ts'
import { sessionCookie } from '../access/sessions/host-cookie.ts'
import { knownDevices } from '../access/sessions/known-device.ts'
import { createReauthenticate } from '../access/sessions/reauthenticate.ts'
import { requestSite } from '../access/sessions/request-site.ts'
import { sessions as createSessions } from '../access/sessions/sessions.ts'
import { throttle as createThrottle } from '../access/sessions/throttle.ts'
import type { Config } from '../config.ts'
import { accountRoutes } from '../http/account.ts'
import { auditRoutes } from '../http/audit.ts'
import { invitationRoutes } from '../http/invitations.ts'
import { memberAccountRoutes } from '../http/member-accounts.ts'
import { passwordResetRoutes } from '../http/password-resets.ts'
import type { Route } from '../http/route.ts'
import { admitter, sessionRoutes, sessionShaper } from '../http/sessions.ts'
import { smtpMailer } from '../mail.ts'
import type { Metrics } from '../metrics.ts'
import type { SealedText } from '../sealed-text.ts'
import type { Storage } from '../storage/storage.ts'

interface Parts {
  storage: Storage
  sealed: SealedText
  config: Pick<Config, 'baseUrl' | 'widgetBaseUrl' | 'smtp' | 'auditLogMs'>
  instanceWorkspaceId: string
  findWorkspace: FindWorkspace
  findMember: FindMember
  audit: Audit
  metrics: Metrics
  clock: () => number
  onError: (error: unknown) => void
}

export function wireAccounts(parts: Parts) {
  const { storage, sealed, config, instanceWorkspaceId, findWorkspace, findMember, audit, metrics, clock, onError } =
    parts
  const { accounts, auditEntries, invitations, linkTokens, members, secondFactors, throttles, workspaces } = storage
  const { baseUrl } = config

  const mailer = config.smtp && smtpMailer(config.smtp.url, config.smtp.from)
  const sendMail = mailer?.send ?? null
  const alert = createAlert({ sendMail, clock, onError })
  const cookie = sessionCookie(baseUrl)
  const siteOf = requestSite(baseUrl)
  const sessions = createSessions({ sessions: storage.sessions, cookie, siteOf, clock })
  const throttle = createThrottle(throttles, clock)
  const passwords = createPasswords((isRight) => metrics.count('docent_password_checks_total', `right="${isRight}"`))
  const secondFactor = createSecondFactor({ secondFactors, sealed, throttle, clock })
  const ownWorkspaces = createOwnWorkspaces({ members, workspaces, instanceWorkspaceId })
  const checkCredentials = credentialChecker({ accounts, passwords, secondFactor, throttle, audit })
  const setUp = createSetUp({ accounts, linkTokens, passwords, sessions, workspaceId: instanceWorkspaceId, clock })
  const logIn = createLogIn({ checkCredentials, ownWorkspaces, sessions, audit })
  const passwordChanger = createPasswordChanger({ accounts, passwords, throttle })
  const changeEmail = createChangeEmail({ accounts, throttle })
  const reauthenticate = createReauthenticate({ passwords, secondFactor, sessions, throttle, audit })
  const ruledAccount = ruledAccounts({ accounts, members })
  const passwordResetter = createPasswordResetter({
    ...{ accounts, linkTokens, ruledAccount, passwords, throttle, audit },
    ...{ sendMail, baseUrl, clock, onError },
  })
  const invite = inviter({ members, invitations, sendMail, baseUrl, clock, onError })
  const acceptInvitation = invitationAccepter({
    ...{ accounts, invitations, checkCredentials, passwords, sessions, audit, clock },
  })

  return {
    sessions,
    alert,
    sendMail,
    /** For the link that a start prints, while there is no instance owner. */
    makeSetUpToken: setUp.makeToken,

    addRoutes(route: Route) {
      const widgetBaseUrl = config.widgetBaseUrl === config.baseUrl ? null : config.widgetBaseUrl
      const shape = sessionShaper(ownWorkspaces, { smtp: mailer !== null, widgetBaseUrl })
      const admit = admitter({ cookie, devices: knownDevices({ baseUrl, sealed, clock }), siteOf, shape })
      sessionRoutes(route, {
        ...{ sessions, setUp, logIn, admit, shape, ownWorkspaces, cookie, audit, accounts, reauthenticate },
      })
      accountRoutes(route, { accounts, changeEmail, passwordChanger, secondFactor, audit, alert })
      invitationRoutes(route, { invitations, invite, acceptInvitation, findWorkspace, admit, audit, alert, clock })
      passwordResetRoutes(route, { passwordResetter, siteOf, alert })
      memberAccountRoutes(route, { passwordResetter, ruledAccount, secondFactor, findMember, audit, alert })
      auditRoutes(route, { auditEntries, findWorkspace })
    },

    /** What is past its time. */
    async forget() {
      const now = clock()
      await Promise.all([
        sessions.forget(),
        linkTokens.forget(now),
        invitations.forget(now),
        throttles.forget(now),
        auditEntries.forget(now - config.auditLogMs),
      ])
    },

    close: async () => mailer?.close(),
  }
}
