// Opens access: who calls, what they may do, how often; and the accounts of people who log in.
import { Fault } from '@docent/contract'
import { makeTtlCache } from '../caching.ts'
import type { Context } from '../context.ts'
import type { BotRecord, BotsTable } from '../storage/bots.ts'
import { INSTANCE_WORKSPACE_ID } from '../storage/workspaces.ts'
import { openEmailChanges, openOwnPassword } from './accounts.ts'
import { type Audit, openAudit } from './audit.ts'
import { makeHostCookie, makeRequestSite, openKnownDevices, sessionCookie } from './cookies.ts'
import { makeAcceptInvitation, makeInvite, makeReadInvitation } from './invitations.ts'
import { openChatKeys, openSyncKeys } from './keys.ts'
import { makeCheckCredentials, makeLogIn, openOwnWorkspaces } from './log-in.ts'
import { makeAlert } from './mails.ts'
import { makeFindBot, makeFindMember, makeFindWorkspace, openManagers } from './managers.ts'
import { makeOidcLogIn, openOidcClient } from './oidc.ts'
import { makeFindRecoverableAccount, openPasswordResets } from './password-resets.ts'
import { openPasswords, type PasswordCost } from './passwords.ts'
import { makeCountCall } from './quota.ts'
import { networkOf, openRateLimits, type RateLimits } from './rate-limits.ts'
import { openSecondFactor } from './second-factor.ts'
import { makeReauthenticate, openSessions } from './sessions.ts'
import { openSetUp } from './set-up.ts'

const MINUTE_MS = 60_000

interface Options {
  adminToken: string
  passwordCost: PasswordCost | undefined
}

export type Access = ReturnType<typeof openAccess>

export function openAccess(context: Context, { adminToken, passwordCost }: Options) {
  const { storage, config, clock } = context
  const { auditEntries, bots, keys, managementTokens, members, workspaces } = storage
  const rateLimits = openRateLimits({ throttles: storage.throttles, isShared: config.databaseUrl !== null, clock })
  const { countWithin } = rateLimits
  const audit = openAudit(context)
  const findWorkspace = makeFindWorkspace(workspaces)
  const accounts = openAccounts(context, { rateLimits, audit, passwordCost })
  const { sessions } = accounts

  return {
    ...accounts,
    chatKeys: openChatKeys(keys, clock),
    syncKeys: openSyncKeys(keys, clock),
    managers: openManagers({ adminToken, managementTokens, sessions, clock }),
    publicBots: openPublicBots(bots, clock),
    findBot: makeFindBot(bots),
    findWorkspace,
    findMember: makeFindMember(findWorkspace, members),
    audit,
    countWithin,
    countCall: makeCountCall(context),
    /** Throws when the address has downloaded too much. */
    countDownload: (ip: string) =>
      countWithin([{ name: `downloads ${networkOf(ip)}`, calls: config.downloadsPerMinute, windowMs: MINUTE_MS }]),

    /** Removes expired records. */
    async forget() {
      const now = clock()
      await Promise.all([
        sessions.forget(),
        storage.linkTokens.forget(now),
        storage.invitations.forget(now),
        rateLimits.forget(),
        auditEntries.forget(now - config.auditLogMs),
      ])
    },
  }
}

interface Shared {
  rateLimits: RateLimits
  audit: Audit
  passwordCost: PasswordCost | undefined
}

function openAccounts(context: Context, { rateLimits: { attempts }, audit, passwordCost }: Shared) {
  const { config, metrics } = context
  const { baseUrl, passwordLogin } = config
  const withPasswords = <Args extends unknown[], Result>(verb: (...args: Args) => Promise<Result>) =>
    passwordLogin ? verb : refusePassword

  const alert = makeAlert(context)
  const cookie = sessionCookie(baseUrl)
  const siteOf = makeRequestSite(baseUrl)
  const sessions = openSessions(context, { cookie, siteOf })
  const countCheck = (isRight: boolean) => metrics.count('docent_password_checks_total', { right: isRight })
  const passwords = openPasswords(countCheck, passwordCost)
  const secondFactor = openSecondFactor(context, attempts)
  const ownWorkspaces = openOwnWorkspaces(context)
  const checkCredentials = makeCheckCredentials(context, { passwords, secondFactor, attempts, audit })
  const findRecoverableAccount = makeFindRecoverableAccount(context)
  const links = { findRecoverableAccount, attempts, audit, alert }
  const passwordResets = openPasswordResets(context, { ...links, passwords })

  return {
    sessions,
    cookie,
    siteOf,
    devices: openKnownDevices(context),
    alert,
    ownWorkspaces,
    passwordLogin,
    ssoName: config.oidc?.name ?? null,
    setUp: openSetUp(context, { passwords, sessions }),
    logIn: withPasswords(makeLogIn({ checkCredentials, ownWorkspaces, sessions, audit })),
    reauthenticate: withPasswords(makeReauthenticate({ passwords, secondFactor, sessions, attempts, audit })),
    ownPassword: openOwnPassword(context, { passwords, attempts }),
    secondFactor,
    emailChanges: openEmailChanges(context, links),
    findRecoverableAccount,
    passwordResets: {
      linkFor: passwordResets.linkFor,
      request: withPasswords(passwordResets.request),
      reset: withPasswords(passwordResets.reset),
    },
    invite: makeInvite(context, links),
    readInvitation: makeReadInvitation(context),
    acceptInvitation: withPasswords(makeAcceptInvitation(context, { checkCredentials, passwords, sessions, audit })),
    singleSignOn: openSingleSignOn(context, { passwords, ownWorkspaces, sessions, audit, alert }),
  }
}

async function refusePassword(): Promise<never> {
  throw new Fault('password_login_disabled')
}

/** Binding of the sealed cookie that tracks a log-in in progress. */
const OIDC_PLACE = 'OpenID log-in'

/** Null when it is not configured. */
function openSingleSignOn(context: Context, neighbours: Parameters<typeof makeOidcLogIn>[1]) {
  const { sealed, config, clock } = context
  const { baseUrl, oidc } = config
  if (!oidc) return null
  return {
    client: openOidcClient(oidc, `${baseUrl}/auth/oidc/callback`, clock),
    logIn: makeOidcLogIn(context, neighbours, { ...oidc, workspaceId: oidc.workspaceId ?? INSTANCE_WORKSPACE_ID }),
    cookie: makeHostCookie(baseUrl, { name: 'docent_oidc', maxAgeSeconds: 600, pattern: /^[\w.-]{1,3000}$/ }),
    seal: (text: string) => sealed.seal(text, OIDC_PLACE),
    open: (text: string) => sealed.open(text, OIDC_PLACE),
  }
}

// Bots by their public id, cached briefly, so that a flood costs no queries.

const CACHE_MS = 800
const CACHE_ENTRIES = 10_000

export interface PublicBots {
  /** Up to a second old: fine for appearance, origins and limits, not for answering. */
  find(botId: string): Promise<BotRecord | undefined>
  forget(): void
}

function openPublicBots(bots: Pick<BotsTable, 'findById'>, clock: () => number): PublicBots {
  const cache = makeTtlCache<BotRecord>({ ttlMs: CACHE_MS, maxEntries: CACHE_ENTRIES, clock, keepsMisses: true })

  return {
    find: (botId) => cache.read(botId, () => bots.findById(botId)),
    forget: cache.clear,
  }
}
