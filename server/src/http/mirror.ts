// Mirrors calls that ended before a turn was written: refused, failed or replayed.
import type { ChatRequest } from '@docent/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { MirroredCall } from '../conversations/mirror/mirror-call.ts'
import type { EndedCallMirror } from '../conversations/mirror/mirror-ended-call.ts'
import type { PresentedKey } from '../storage/keys/keys.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The call in the mirror's format, where the body has another. */
    mirroredRequest: ChatRequest | null
    /** Mirrors a call without a turn, once. */
    mirrorEnd: (reply: FastifyReply, status: number, body: MirroredCall['body']) => Promise<void>
  }
}

/** Before the response is sent, so that no caller gets one that the mirror does not. */
export function installMirror(server: FastifyInstance, mirror: EndedCallMirror['mirror']) {
  server.decorateRequest('mirroredRequest', null)
  server.decorateRequest('mirrorEnd', async function (this: FastifyRequest, reply, status, body) {
    const key = mirroredKey(this)
    if (!key || this.mirrored) return
    this.mirrored = true
    const latencyMs = Math.round(reply.elapsedTime)
    const request = this.mirroredRequest ?? this.unparsedBody ?? this.body
    await mirror({ key, request, status, body, latencyMs }).catch((error) =>
      this.log.error({ err: error }, 'a call was not mirrored'),
    )
  })

  server.addHook('onSend', async (request, reply, payload) => {
    // Streams mirror themselves when they end.
    const isWanted = mirroredKey(request) !== null && !request.mirrored
    if (isWanted && typeof payload === 'string') await request.mirrorEnd(reply, reply.statusCode, JSON.parse(payload))
    return payload
  })
}

function mirroredKey({ caller }: FastifyRequest): PresentedKey | null {
  return caller && 'mirrorId' in caller && caller.mirrorId !== null ? caller : null
}
