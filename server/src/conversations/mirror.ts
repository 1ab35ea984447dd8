// A chat API call and its answer, as sent to the key's mirror webhook.

import type { ChatCompletionRequest, ChatRequest, MirroredEvent, ResponsesRequest } from '@docent/contract'
import { secretPrefixes } from '../access/secrets.ts'
import type { Context } from '../context.ts'
import { timedId } from '../ids.ts'
import { type Statement, StorageError } from '../storage/database.ts'
import type { DeliveriesTable } from '../storage/deliveries.ts'
import type { PresentedKey } from '../storage/keys.ts'
import type { EventRecord } from '../storage/webhooks.ts'
import { timestamp } from '../timestamps.ts'
import type { OnEvents } from '../webhooks/delivery-worker.ts'

type Body = MirroredEvent['response']['body']

export interface MirroredCall {
  key: PresentedKey
  /** As received, possibly invalid: bytes if it was not JSON, undefined if it was not read. */
  request: unknown
  status: number
  body: Body
  latencyMs: number
  /** Undefined when no turn was written. */
  conversationId?: string | undefined
  /** How many calls this one represents. */
  suppressed?: number
}

// Only fields of the contract, so that no stray credential is mirrored.
const REQUEST_FIELDS: (keyof ChatRequest | keyof ChatCompletionRequest | keyof ResponsesRequest)[] = [
  'bot_id',
  'message',
  'session_id',
  'stream',
  'user_id',
  'metadata',
  'page_url',
  'model',
  'messages',
  'input',
]
const LONGEST_FIELD = 20_000
const LONGEST_NAME = 200
const RAW_BYTES = 16 * 1024
const CREDENTIAL = new RegExp(`(${Object.values(secretPrefixes).join('|')})\\w+`, 'g')

/** The delivery to the key's mirror, written together with the turn. Null for a key without a mirror. */
export type MirrorCall = (call: MirroredCall) => Statement | null

export function makeMirrorCall({ storage: { deliveries }, clock }: Context): MirrorCall {
  return (call) => {
    const { mirrorId } = call.key
    return mirrorId === null ? null : deliveries.toWebhook(mirroredEvent(call, clock()), mirrorId)
  }
}

function mirroredEvent(call: MirroredCall, now: number): EventRecord {
  const { key, request, status, body, latencyMs } = call
  const id = timedId('evt', now)
  const event: MirroredEvent = {
    id,
    event_type: 'chat.mirrored',
    timestamp: timestamp(now),
    bot_id: key.botId,
    key_id: key.id,
    session_id: 'session_id' in body ? body.session_id : null,
    request: shownRequest(request),
    response: { status, body },
    latency_ms: latencyMs,
    ...(call.suppressed === undefined ? {} : { suppressed: call.suppressed }),
  }
  const payload = JSON.stringify(event)
  return { botId: key.botId, id, type: 'chat.mirrored', payload, createdAt: now, about: subjectOf(call, event) }
}

/** Refused calls may contain personal data too. */
function subjectOf({ conversationId }: MirroredCall, { request, session_id }: MirroredEvent): string | null {
  if (conversationId !== undefined) return conversationId
  const isName = (value: unknown) => typeof value === 'string' && value !== '' && value.length <= LONGEST_NAME
  if (isName(request?.user_id)) return `user:${request?.user_id}`
  const sessionId = session_id ?? request?.session_id
  return isName(sessionId) ? `session:${sessionId}` : null
}

/** A refused call may contain anything, so oversized fields are dropped. */
function shownRequest(request: unknown): MirroredEvent['request'] {
  if (request === undefined) return null
  if (request instanceof Uint8Array) return { raw: rawText(Buffer.from(request)) }
  if (typeof request !== 'object' || request === null || Array.isArray(request))
    return { raw: rawText(Buffer.from(JSON.stringify(request))) }
  const fields = request as Record<string, unknown>
  const mirroredFields: Record<string, unknown> = {}
  for (const field of REQUEST_FIELDS) {
    const value = fields[field]
    if (value !== undefined && lengthOf(value) <= LONGEST_FIELD) mirroredFields[field] = value
  }
  return mirroredFields
}

function rawText(body: Buffer): string {
  return body.subarray(0, RAW_BYTES).toString('utf8').replace(CREDENTIAL, '$1…')
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : JSON.stringify(value).length
}

// Mirrors calls that wrote no turn. A client that keeps calling over its quota would flood database and receiver,
// so only the first calls of each minute are mirrored; the rest are counted into one event.

const OVER_QUOTA_PER_MINUTE = 120
const MINUTE_MS = 60_000
const QUOTA_USED_UP = 429
const KEYS_REMEMBERED = 10_000

interface EndedCallDeps {
  deliveries: Pick<DeliveriesTable, 'write'>
  mirrorCall: MirrorCall
  onEvents: OnEvents
  clock: () => number
}

/** The body is read only if the call is mirrored at all. */
export type EndedCall = Omit<MirroredCall, 'request'> & { readRequest: () => Promise<unknown> }

export interface EndedCallMirror {
  mirror(call: EndedCall): Promise<void>
  /** Writes how many calls were only counted, for past minutes or, at the end, for all. */
  flush(isLast?: boolean): Promise<void>
}

interface KeyMinute {
  minute: number
  calls: number
  /** Calls that were only counted: how many, and the last one. */
  suppressedCalls: number
  suppressed: MirroredCall | null
}

export function openEndedCallMirror({ deliveries, mirrorCall, onEvents, clock }: EndedCallDeps): EndedCallMirror {
  const minutes = new Map<string, KeyMinute>()
  const thisMinute = () => Math.floor(clock() / MINUTE_MS)

  async function mirror({ readRequest, ...call }: EndedCall) {
    if (call.key.mirrorId === null) return
    if (call.status === QUOTA_USED_UP && (await isOneTooMany(call))) return
    await write({ ...call, request: await readRequest() })
  }

  async function isOneTooMany(call: Omit<MirroredCall, 'request'>): Promise<boolean> {
    const minute = thisMinute()
    let keyMinute = minutes.get(call.key.id)
    if (keyMinute && keyMinute.minute !== minute) {
      await writeSuppressed(call.key.id, keyMinute)
      keyMinute = minutes.get(call.key.id)
    }
    if (!keyMinute) {
      if (minutes.size >= KEYS_REMEMBERED) await flush(true)
      keyMinute = { minute, calls: 0, suppressedCalls: 0, suppressed: null }
      minutes.set(call.key.id, keyMinute)
    }
    keyMinute.calls++
    if (keyMinute.calls <= OVER_QUOTA_PER_MINUTE) return false
    keyMinute.suppressedCalls++
    keyMinute.suppressed = { ...call, request: undefined }
    return true
  }

  async function writeSuppressed(keyId: string, keyMinute: KeyMinute) {
    const { suppressedCalls, suppressed } = keyMinute
    minutes.delete(keyId)
    if (!suppressed) return
    try {
      await write({ ...suppressed, suppressed: suppressedCalls })
    } catch (error) {
      keepUnwritten(keyId, keyMinute)
      throw error
    }
  }

  /** The next flush retries. The key may have made calls meanwhile. */
  function keepUnwritten(keyId: string, keyMinute: KeyMinute) {
    const newer = minutes.get(keyId)
    if (!newer) {
      minutes.set(keyId, keyMinute)
      return
    }
    newer.suppressedCalls += keyMinute.suppressedCalls
    newer.suppressed ??= keyMinute.suppressed
  }

  async function write(call: MirroredCall) {
    const delivery = mirrorCall(call)
    if (!delivery) return
    try {
      await deliveries.write([delivery])
    } catch (error) {
      // The bot was deleted meanwhile, and its mirror with it.
      if (error instanceof StorageError && error.kind === 'foreign_key') return
      throw error
    }
    onEvents(call.key.botId)
  }

  async function flush(isLast = false) {
    const minute = thisMinute()
    for (const [keyId, keyMinute] of minutes) {
      if (!isLast && keyMinute.minute === minute) continue
      await writeSuppressed(keyId, keyMinute)
    }
  }

  return { mirror, flush }
}
