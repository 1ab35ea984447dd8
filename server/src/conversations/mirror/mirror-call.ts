// A chat API call and its answer, as sent to the key's mirror webhook.
import type { ChatCompletionRequest, ChatRequest, MirroredEvent } from '@docent/contract'
import { secretPrefixes } from '../../access/secrets.ts'
import { timedId } from '../../ids.ts'
import type { Statement } from '../../storage/database.ts'
import type { DeliveriesTable } from '../../storage/deliveries.ts'
import type { PresentedKey } from '../../storage/keys.ts'
import type { EventRecord } from '../../storage/webhooks.ts'

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
const requestFields: (keyof ChatRequest | keyof ChatCompletionRequest)[] = [
  'bot_id',
  'message',
  'session_id',
  'stream',
  'user_id',
  'metadata',
  'page_url',
  'model',
  'messages',
]
const LONGEST_FIELD = 20_000
const LONGEST_NAME = 200
const RAW_BYTES = 16 * 1024
const credential = new RegExp(`(${Object.values(secretPrefixes).join('|')})\\w+`, 'g')

/** The delivery to the key's mirror, written together with the turn. Null for a key without a mirror. */
export type MirrorCall = (call: MirroredCall) => Statement | null

interface Deps {
  deliveries: Pick<DeliveriesTable, 'to'>
  clock: () => number
}

export function createMirrorCall({ deliveries, clock }: Deps): MirrorCall {
  return (call) => {
    const { mirrorId } = call.key
    return mirrorId === null ? null : deliveries.to(mirroredEvent(call, clock()), mirrorId)
  }
}

function mirroredEvent(call: MirroredCall, now: number): EventRecord {
  const { key, request, status, body, latencyMs } = call
  const id = timedId('evt', now)
  const event: MirroredEvent = {
    id,
    event_type: 'chat.mirrored',
    timestamp: new Date(now).toISOString(),
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
  const isName = (given: unknown) => typeof given === 'string' && given !== '' && given.length <= LONGEST_NAME
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
  const given = request as Record<string, unknown>
  const shown: Record<string, unknown> = {}
  for (const field of requestFields) {
    const value = given[field]
    if (value !== undefined && lengthOf(value) <= LONGEST_FIELD) shown[field] = value
  }
  return shown
}

function rawText(body: Buffer): string {
  return body.subarray(0, RAW_BYTES).toString('utf8').replace(credential, '$1…')
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : JSON.stringify(value).length
}
