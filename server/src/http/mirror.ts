// Calls that ended before a turn was written (refused, failed, replayed) reach the key's mirror, too.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PresentedKey } from '../storage/keys.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Mirrors a call that no turn was written for, once. */
    mirrorEnd: (reply: FastifyReply, status: number, body: unknown) => Promise<void>
  }
}

export interface EndedCall {
  key: PresentedKey
  request: unknown
  status: number
  body: never
  latencyMs: number
}

/** Before the answer goes out, so that no caller has an answer that the mirror does not. */
export function installMirror(server: FastifyInstance, mirror: (call: EndedCall) => Promise<void>) {
  server.decorateRequest('mirrorEnd', async function (this: FastifyRequest, reply, status, body) {
    const key = mirroredKey(this)
    if (!key || this.mirrored) return
    this.mirrored = true
    const latencyMs = Math.round(reply.elapsedTime)
    await mirror({ key, request: this.body, status, body: body as never, latencyMs }).catch((error) =>
      this.log.error({ err: error }, 'a call was not mirrored'),
    )
  })

  server.addHook('onSend', async (request, reply, payload) => {
    // A stream tells of its end itself.
    const isWanted = mirroredKey(request) !== null && !request.mirrored
    if (isWanted && typeof payload === 'string') await request.mirrorEnd(reply, reply.statusCode, JSON.parse(payload))
    return payload
  })
}

function mirroredKey({ caller }: FastifyRequest): PresentedKey | null {
  return caller && 'mirrorId' in caller && caller.mirrorId !== null ? caller : null
}
