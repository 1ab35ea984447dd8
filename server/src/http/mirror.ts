// Calls that ended before a turn was written (refused, failed, replayed) reach the key's mirror, too.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { PresentedKey } from '../storage/keys.ts'

export interface EndedCall {
  key: PresentedKey
  request: unknown
  status: number
  body: never
  latencyMs: number
}

/** Before the answer goes out, so that no caller has an answer that the mirror does not. */
export function installMirror(server: FastifyInstance, mirror: (call: EndedCall) => Promise<void>) {
  server.addHook('onSend', async (request, reply, payload) => {
    const key = mirroredKey(request)
    if (!key || request.mirrored || typeof payload !== 'string') return payload
    request.mirrored = true
    await mirror({
      key,
      request: request.body,
      status: reply.statusCode,
      body: JSON.parse(payload) as never,
      latencyMs: Math.round(reply.elapsedTime),
    }).catch((error) => request.log.error({ err: error }, 'a call was not mirrored'))
    return payload
  })
}

function mirroredKey({ caller }: FastifyRequest): PresentedKey | null {
  return caller && 'mirrorId' in caller && caller.mirrorId !== null ? caller : null
}
