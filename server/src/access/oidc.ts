// Maps the provider's claims to an account, role and session. Accounts are found by the provider's subject; the first
// time by email address, which the provider must have verified. Such an address wins over one that nobody has proven.
import { randomBytes } from 'node:crypto'
import { Fault, ROLES, type Role } from '@docent/contract'
import type { Configuration } from 'openid-client'
import type { Context } from '../context.ts'
import { randomId } from '../ids.ts'
import type { AccountRecord } from '../storage/accounts.ts'
import { StorageError } from '../storage/database.ts'
import type { Audit } from './audit.ts'
import type { OwnWorkspaces } from './log-in.ts'
import type { Alert } from './mails.ts'
import type { Passwords } from './passwords.ts'
import type { ClientDetails, Sessions, StartedSession } from './sessions.ts'

interface OidcRules {
  issuer: string
  /** Accepts addresses that the provider does not mark as verified. */
  trustEmail: boolean
  /** Claim with a person's groups; null: roles are set in the dashboard. */
  roleClaim: string | null
  roles: { value: string; role: Role }[]
  /** Role for people without another; null: refused. */
  defaultRole: Role | null
  workspaceId: string
}

interface Neighbours {
  passwords: Pick<Passwords, 'hash'>
  ownWorkspaces: Pick<OwnWorkspaces, 'first'>
  sessions: Pick<Sessions, 'start'>
  audit: Audit
  alert: Alert
}

const LONGEST_ADDRESS = 254

/** Refused by our rules; people see only that, operators and owners why. */
class SsoRefused extends Fault {
  readonly reason: string

  constructor(reason: string) {
    super('sso_refused')
    this.reason = reason
  }
}

/** `isFresh`: the provider has just asked for the password. */
export type OidcLogIn = (claims: Claims, isFresh: boolean, client: ClientDetails) => Promise<StartedSession>

export function makeOidcLogIn(context: Context, neighbours: Neighbours, rules: OidcRules): OidcLogIn {
  const { storage, logger, clock } = context
  const { accounts, members, invitations } = storage
  const { passwords, ownWorkspaces, sessions, audit, alert } = neighbours

  // A random password; a reset link can set another where passwords are enabled.
  const unknownPassword = () => passwords.hash(randomBytes(32).toString('base64url'))

  async function findOrMake(claims: Claims, role: Role | null, client: ClientDetails): Promise<AccountRecord> {
    const subject = `${rules.issuer} ${claims.sub}`
    const linkedAccount = await accounts.findBySubject(subject)
    const email = verifiedEmail(claims, rules.trustEmail)
    const matchingAccount = linkedAccount ?? (email === null ? undefined : await accounts.findByEmail(email))
    // Refuse before anything is written.
    if (rules.roleClaim !== null && role === null && !matchingAccount?.instanceOwner)
      throw new SsoRefused('none of their groups has a role')
    if (linkedAccount) return email === null ? linkedAccount : withProvenEmail(linkedAccount, email)
    if (email === null) throw new SsoRefused(addressProblem(claims))
    if (matchingAccount) {
      await link(matchingAccount, subject, client)
      return { ...matchingAccount, isEmailProven: true }
    }
    if (role === null && (await invitations.listOf(email, clock())).length === 0)
      throw new SsoRefused('they were not invited, and there is no default role')
    const name = typeof claims.name === 'string' && claims.name.trim() ? claims.name.trim().slice(0, 200) : email
    const account = { id: randomId('acc'), email, name, passwordHash: await unknownPassword(), createdAt: clock() }
    await accounts.insertFromOidc(account, subject)
    return {
      ...account,
      hasPassword: false,
      isEmailProven: true,
      sso: true,
      instanceOwner: false,
      language: null,
      secondFactor: null,
      pendingSecondFactor: null,
    }
  }

  /** The account of the subject, with the address that the provider has verified if its own was never proven. */
  async function withProvenEmail(account: AccountRecord, email: string): Promise<AccountRecord> {
    if (account.isEmailProven) return account
    if (account.email === email) {
      await accounts.proveEmail(account.id)
      return { ...account, isEmailProven: true }
    }
    // Somebody else may have it by now.
    const isFree = await accounts.replaceUnprovenEmail(account.id, email).then(
      () => true,
      (error: unknown) => {
        if (error instanceof StorageError && error.kind === 'unique') return false
        throw error
      },
    )
    if (!isFree) throw new SsoRefused('the verified address belongs to another account')
    return { ...account, email, isEmailProven: true }
  }

  async function link(account: AccountRecord, subject: string, { ip }: ClientDetails) {
    const result = await accounts.linkSubject(account, subject, await unknownPassword())
    if (result === 'taken') throw new SsoRefused('the account of this address belongs to another subject')
    if (result === 'was linked') return
    await audit.recordForAccount(account, ip, 'password.reset', 'OpenID Connect')
    await audit.recordForAccount(account, ip, 'token.revoked', `all of ${account.email}`)
    alert({ caller: { actor: account.email, accountId: account.id }, request: { ip } }, 'sso_linked')
  }

  async function acceptInvitations(account: AccountRecord, client: ClientDetails) {
    const { email } = account
    for (const { hash, workspaceId } of await invitations.listOf(email, clock())) {
      const hasJoined = await accounts.acceptInvitation(hash, account, false, randomId('mem'), clock())
      if (hasJoined)
        await audit.record({ caller: { actor: email }, request: client }, workspaceId, 'member.joined', email)
    }
  }

  /** The provider decides the role in its workspace only. */
  async function applyRole(account: AccountRecord, role: Role, isVouchedFor: boolean) {
    const { workspaceId } = rules
    const member = await members.findByEmail(workspaceId, account.email)
    if (member && member.accountId !== account.id && !isVouchedFor)
      throw new SsoRefused('the provider has not verified the address of this member')
    if (!member || member.accountId !== account.id)
      await members.joinAs({ workspaceId, id: randomId('mem'), account, role, now: clock() })
    // `update` keeps the last owner.
    if (member && rules.roleClaim !== null && member.role !== role) await members.update(member, { role })
  }

  async function recordRefusal({ reason }: SsoRefused, claims: Claims, { ip }: ClientDetails) {
    logger.warn({ reason, subject: claims.sub }, 'single sign-on was refused')
    const actor = typeof claims.email === 'string' ? claims.email.slice(0, LONGEST_ADDRESS) : claims.sub
    await audit.record({ caller: { actor }, request: { ip } }, rules.workspaceId, 'login.failed', `SSO: ${reason}`)
  }

  return async (claims, isFresh, client) =>
    admit(claims, isFresh, client).catch(async (error) => {
      if (error instanceof SsoRefused) await recordRefusal(error, claims, client)
      throw error
    })

  async function admit(claims: Claims, isFresh: boolean, client: ClientDetails): Promise<StartedSession> {
    const role = mappedRole(claims, rules)
    const account = await findOrMake(claims, role, client)
    // The provider may know the person by another address than the account has.
    const isVouchedFor = verifiedEmail(claims, rules.trustEmail) === account.email
    if (isVouchedFor) await acceptInvitations(account, client)
    const isNowhere = (await members.listOfAccount(account.id)).length === 0
    if (role !== null && !account.instanceOwner && (rules.roleClaim !== null || isNowhere))
      await applyRole(account, role, isVouchedFor)
    else if (isNowhere && !account.instanceOwner) throw new SsoRefused('they belong to no workspace')
    const session = await sessions.start(account.id, await ownWorkspaces.first(account), client, isFresh)
    await audit.recordForAccount(account, client.ip, 'login.succeeded', 'OpenID Connect')
    return session
  }
}

/** The highest role of the person's groups; `ROLES` is ordered from least to most. */
function mappedRole(claims: Claims, { roleClaim, roles: mapping, defaultRole }: OidcRules): Role | null {
  const groups = roleClaim === null ? [] : [claimAt(claims, roleClaim)].flat().map(String)
  const roleRanks = mapping.filter(({ value }) => groups.includes(value)).map(({ role }) => ROLES.indexOf(role))
  return roleRanks.length > 0 ? (ROLES[Math.max(...roleRanks)] ?? null) : defaultRole
}

/** "realm_access.roles" is a nested claim, unless a claim has that exact name. */
function claimAt(claims: Record<string, unknown>, path: string): unknown {
  if (path in claims) return claims[path]
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) => (value && typeof value === 'object' ? (value as Record<string, unknown>)[key] : undefined),
      claims,
    )
}

/** Null: no verified address. */
function verifiedEmail({ email, email_verified }: Claims, trustEmail: boolean): string | null {
  const isTrusted = email_verified === true || email_verified === 'true' || (trustEmail && email_verified === undefined)
  if (typeof email !== 'string' || !/^[^\s@]+@[^\s@]+$/.test(email) || !isTrusted) return null
  if (email.length > LONGEST_ADDRESS || !isPlain(email)) return null
  // Only ASCII: the Kelvin sign would become a "k", and open the account of another address.
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** Written with the characters themselves, not with others that stand for them. */
function isPlain(email: string): boolean {
  return email.normalize('NFKC') === email
}

function addressProblem({ email }: Claims): string {
  if (typeof email === 'string' && !isPlain(email)) return 'the address has characters that stand for others'
  return 'the provider has not verified their address'
}

interface OidcSettings {
  issuer: string
  clientId: string
  clientSecret: string | null
  scopes: string
}

/** Kept by the browser, sealed, until it returns. */
export interface PendingLogIn {
  state: string
  nonce: string
  verifier: string
  /** Whether the provider must ask for the password again. */
  isFresh: boolean
}

type Claims = Record<string, unknown> & { sub: string }

export function openOidcClient(
  { issuer, clientId, clientSecret, scopes }: OidcSettings,
  redirectUri: string,
  clock: () => number,
) {
  let configuration: Promise<Configuration> | null = null
  let failedAt: number | null = null

  async function discover(): Promise<Configuration> {
    const { allowInsecureRequests, discovery, None } = await import('openid-client')
    const insecure = issuer.startsWith('http:') ? { execute: [allowInsecureRequests] } : {}
    const authentication = clientSecret === null ? None() : undefined
    return discovery(new URL(issuer), clientId, clientSecret ?? undefined, authentication, insecure)
  }

  async function provider(): Promise<Configuration> {
    // Anyone can start a log-in, which must not flood a provider that is down.
    if (failedAt !== null && Math.abs(clock() - failedAt) < PAUSE_MS) throw new Fault('sso_failed')
    configuration ??= discover().catch((error: unknown) => {
      configuration = null
      failedAt = clock()
      throw error
    })
    return configuration
  }

  return {
    /** Where to redirect the browser, and what to remember. */
    async start(isFresh: boolean): Promise<{ url: string; pending: PendingLogIn }> {
      const client = await import('openid-client')
      const pending = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
        isFresh,
      }
      const url = client.buildAuthorizationUrl(await provider(), {
        redirect_uri: redirectUri,
        scope: scopes,
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
        ...(isFresh ? { prompt: 'login', max_age: '0' } : {}),
      })
      return { url: url.href, pending }
    },

    /** The provider's verified claims; `query` is the callback's. */
    async finish(query: string, { state, nonce, verifier, isFresh }: PendingLogIn): Promise<Claims> {
      const client = await import('openid-client')
      const config = await provider()
      const tokens = await client.authorizationCodeGrant(config, new URL(`${redirectUri}?${query}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
        ...(isFresh ? { maxAge: FRESH_SECONDS } : {}),
      })
      const claims = tokens.claims()
      if (!claims) throw new Error('the OpenID provider sent no ID token')
      // Many providers return addresses and groups only from here.
      const hasMore = config.serverMetadata().userinfo_endpoint !== undefined
      const more = hasMore ? await client.fetchUserInfo(config, tokens.access_token, claims.sub) : {}
      return { ...claims, ...more, ...emailClaims(more, claims) }
    },
  }
}

/** Both claims from one source, preferably one that has both: "verified" applies only to that source's address. */
function emailClaims(...sources: Record<string, unknown>[]) {
  const sourcesWithEmail = sources.filter(({ email }) => email !== undefined)
  const source = sourcesWithEmail.find(({ email_verified }) => email_verified !== undefined) ?? sourcesWithEmail[0]
  return { email: source?.email, email_verified: source?.email_verified }
}

const FRESH_SECONDS = 60
const PAUSE_MS = 10_000
