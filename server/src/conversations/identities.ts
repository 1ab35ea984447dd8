// Who a visitor is, as their site proves it: with a signed token, or with the hash of their id. The site signs on its server
// with one of the bot's two keys.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { Fault, IDENTITY_KEYS_PER_BOT, type Identified } from '@docent/contract'
import { makeSecret } from '../access/secrets.ts'
import type { Context } from '../context.ts'
import { DAY_MS } from '../days.ts'
import { randomId } from '../ids.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { IdentityClaims, IdentityDetails, IdentityKeyRecord } from '../storage/identities.ts'
import { visitorWords } from './visitor-mails.ts'
import { type PresentedVisitor, type Recognised, retryOnConflict } from './visitors.ts'

// Of the clocks of servers.
const SKEW_MS = 60_000
// How exactly it is recorded when a key was used and a user proven.
const RECORDED_MS = 60_000
const MAX_USER_ID_CHARS = 200
const MAX_ATTRIBUTES_BYTES = 4096

/** What a call presents. */
interface UserProof {
  user_token?: string | undefined
  user_id?: string | undefined
  user_hash?: string | undefined
}

export function openIdentities({ storage, sealed, clock }: Context) {
  const { identityKeys, identities, visitors, conversations, transaction } = storage
  const binding = (botId: string, id: string) => `identity key ${botId} ${id}`

  async function keysOf(botId: string): Promise<(IdentityKeyRecord & { key: string })[]> {
    const records = await identityKeys.list(botId)
    return records.flatMap((record) => {
      const key = sealed.open(record.secret, binding(botId, record.id))
      return key === null ? [] : [{ ...record, key }]
    })
  }

  // Two calls may make a user of the same visitor at once.
  const link = retryOnConflict(
    (call: { botId: string; claims: IdentityClaims; anonymousId: string | null; tokenHash: string }) =>
      identities.link(call.botId, call.claims, call.anonymousId, call.tokenHash, clock()),
  )

  /** Null when nothing is presented; throws when it proves nothing. */
  async function verify({ id: botId }: BotRecord, proof: UserProof): Promise<IdentityClaims | null> {
    const { user_token: token, user_id: userId, user_hash: userHash } = proof
    if (token === undefined && userId === undefined && userHash === undefined) return null
    const keys = await keysOf(botId)
    const { key, claims } =
      token === undefined ? checkHash(keys, userId ?? '', userHash ?? '') : checkToken(keys, token, clock())
    const now = clock()
    if (now - (key.lastUsedAt ?? 0) > RECORDED_MS) await identityKeys.recordUse(botId, key.id, now)
    return claims
  }

  /**
   * Finds the visitor of a call. What an anonymous visitor wrote becomes the proven user's; the visitor of another user
   * stays apart.
   */
  async function recognise(bot: BotRecord, proof: UserProof, presentedVisitor: PresentedVisitor): Promise<Recognised> {
    const { visitor } = presentedVisitor
    const claims = await verify(bot, proof)
    const isPresentedVoid = presentedVisitor.presentsToken && visitor === null
    if (!claims)
      return { visitor, hasToken: visitor !== null, token: null, isTokenVoid: isPresentedVoid, claims, user: null }
    const { id: botId } = bot
    const anonymousId = visitor?.userId === null ? visitor.id : null
    const identity = await identities.find(botId, claims.userId)
    const isCurrent =
      identity && anonymousId === null && clock() - identity.verifiedAt < RECORDED_MS && isSame(identity, claims)
    const fresh = makeSecret('visitor')
    const identityLink = isCurrent
      ? { visitorId: identity.visitorId, isJoined: false }
      : await link({ botId, claims, anonymousId, tokenHash: fresh.hash })
    const user = identityLink ? ((await visitors.find(botId, identityLink.visitorId)) ?? null) : null
    const token = user && identityLink?.isJoined ? fresh.secret : null
    // If another call has made an anonymous visitor known meanwhile, the presented token is void.
    const isUsers = user !== null && anonymousId === null && visitor?.id === user.id
    const { name = null, email = null } = claims.details ?? identity ?? {}
    return {
      visitor: user,
      hasToken: token !== null || isUsers,
      token,
      claims,
      isTokenVoid: token === null && (isPresentedVoid || anonymousId !== null),
      user: { userId: claims.userId, name, email },
    }
  }

  return {
    /** The key itself is only returned here. */
    async createKey(botId: string) {
      const { secret: key, lastFour } = makeSecret('identity')
      const id = randomId('idk')
      const secret = sealed.seal(key, binding(botId, id))
      const record: IdentityKeyRecord = { botId, id, secret, lastFour, createdAt: clock(), lastUsedAt: null }
      if (!(await identityKeys.insert(record, IDENTITY_KEYS_PER_BOT))) throw new Fault('too_many_identity_keys')
      return { record, key }
    },

    /** The visitor of a call that writes something; throws where only verified ones may. */
    async admit(bot: BotRecord, request: UserProof & { locale?: string }, presentedVisitor: PresentedVisitor) {
      const recognition = await recognise(bot, request, presentedVisitor)
      if (bot.widget.identity.require_for_chat && !recognition.claims) refuseAnonymous(bot, request.locale)
      return recognition
    },

    /** How a device goes on once it is known who uses it. */
    async identify(bot: BotRecord, proof: UserProof, presentedVisitor: PresentedVisitor): Promise<Identified> {
      const { visitor: user, hasToken, token, claims } = await recognise(bot, proof, presentedVisitor)
      if (!claims) return refuse()
      const newest = user && !hasToken ? await conversations.findNewestOf(bot.id, user.id) : undefined
      const answer = { user_id: claims.userId, switched: !hasToken, visitor_token: token, session_id: null }
      if (!user || !newest) return answer
      const { secret, hash } = makeSecret('visitor')
      await transaction((tx) => visitors.addToken(tx, bot.id, user.id, hash, clock()))
      return { ...answer, visitor_token: secret, session_id: newest.sessionId }
    },
  }
}

export function refuseAnonymous(bot: BotRecord, language: string | null | undefined): never {
  throw new Fault('user_token_required', { message: visitorWords(language ?? bot.language).logIn })
}

function isSame({ name, email, phone, attributes }: IdentityDetails, { details }: IdentityClaims): boolean {
  return details === null || JSON.stringify({ name, email, phone, attributes }) === JSON.stringify(details)
}

interface Checked<Key> {
  key: Key
  claims: IdentityClaims
}

interface SigningKey {
  id: string
  key: string
}

const refuse = (why?: string): never => {
  throw new Fault('invalid_user_token', why ? { message: `The user token is not valid: ${why}` } : {})
}

function checkHash<Key extends SigningKey>(keys: Key[], userId: string, userHash: string): Checked<Key> {
  // The signed part of a token has such a hash as well: its signature, which does not expire.
  const isOfToken = /^eyJ[\w-]+\.[\w-]+$/.test(userId)
  if (!/^[0-9a-f]{64}$/i.test(userHash) || !isUserId(userId) || isOfToken) return refuse()
  const key = signer(keys, userId, Buffer.from(userHash, 'hex')) ?? refuse()
  return { key, claims: { userId, details: null } }
}

function checkToken<Key extends SigningKey>(keys: Key[], token: string, now: number): Checked<Key> {
  const [, head = '', body = '', signature = ''] =
    /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/.exec(token) ?? refuse()
  // Only this algorithm: "none" and public keys used as secrets are the known attacks.
  const { alg, kid, crit } = parse(head)
  if (alg !== 'HS256' || crit !== undefined) return refuse()
  const possible = kid === undefined ? keys : keys.filter(({ id }) => id === kid)
  const key = signer(possible, `${head}.${body}`, Buffer.from(signature, 'base64url')) ?? refuse()
  // From here on the site wrote it, and may learn what is wrong.
  return { key, claims: readClaims(parse(body), now) }
}

/** The key that signed a text. Compares with every key, in constant time. */
function signer<Key extends SigningKey>(keys: Key[], text: string, signature: Buffer): Key | undefined {
  const matches = keys.filter(({ key }) => {
    const expected = createHmac('sha256', key).update(text).digest()
    return expected.length === signature.length && timingSafeEqual(expected, signature)
  })
  return matches[0]
}

function parse(part: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Refused below.
  }
  return refuse()
}

function readClaims(payload: Record<string, unknown>, now: number): IdentityClaims {
  const { sub, user_id, exp, nbf, name, email, phone, attributes } = payload
  const subject = sub ?? user_id
  const userId = typeof subject === 'number' && Number.isSafeInteger(subject) ? String(subject) : subject
  if (typeof userId !== 'string' || !isUserId(userId))
    return refuse(`"sub" or "user_id" must be a text of 1 to ${MAX_USER_ID_CHARS} characters.`)
  if (typeof exp !== 'number' || !Number.isFinite(exp)) return refuse('"exp" is missing.')
  if (exp * 1000 <= now) return refuse('it has expired.')
  if (exp * 1000 > now + DAY_MS + SKEW_MS) return refuse('"exp" is more than 24 hours ahead.')
  if (nbf !== undefined && !(typeof nbf === 'number' && nbf * 1000 <= now + SKEW_MS))
    return refuse('"nbf" is in the future.')
  const details: IdentityDetails = {
    name: optionalText('name', name, 200),
    email: optionalText('email', email, 254, /^[^\s@]+@[^\s@]+$/),
    phone: optionalText('phone', phone, 50),
    attributes: readAttributes(attributes),
  }
  return { userId, details }
}

function optionalText(claim: string, value: unknown, maxChars: number, pattern = /\S/): string | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'string' || value.length > maxChars || !pattern.test(value) || hasControls(value))
    return refuse(`"${claim}" is not valid.`)
  return value.trim()
}

function readAttributes(value: unknown): Record<string, unknown> {
  if (value === undefined || value === null) return {}
  const isFlat =
    typeof value === 'object' &&
    !Array.isArray(value) &&
    Object.values(value).every((each) => each === null || ['string', 'number', 'boolean'].includes(typeof each))
  if (!isFlat) return refuse('"attributes" must be an object of texts, numbers, booleans and null.')
  if (Buffer.byteLength(JSON.stringify(value)) > MAX_ATTRIBUTES_BYTES)
    return refuse('"attributes" must have at most 4 KB.')
  return value as Record<string, unknown>
}

function isUserId(text: string): boolean {
  return text.trim() !== '' && text.length <= MAX_USER_ID_CHARS && !hasControls(text)
}

/** PostgreSQL refuses a null character, and no name has the others. */
function hasControls(text: string): boolean {
  return /\p{Cc}|\p{Cs}/u.test(text)
}
