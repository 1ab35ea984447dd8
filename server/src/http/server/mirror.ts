// Mirrors calls that ended before a turn was written: refused, failed or replayed.
import type { ChatCompletionRequest, ChatRequest, ResponsesRequest } from '@docent/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { EndedCallMirror, MirroredCall } from '../../conversations/mirror.ts'
import type { PresentedKey } from '../../storage/keys.ts'
import { readCompletionRequest } from '../openai.ts'
import { readResponsesRequest } from '../openai-responses.ts'
import { parseJson } from './bodies.ts'

// A caller that announces a body and does not send it must not delay the refusal for long.
const BODY_TIMEOUT_MS = 2000

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
    const readRequest = async () => this.mirroredRequest ?? this.unparsedBody ?? this.body ?? readUnparsed(this, key)
    await mirror({ key, readRequest, status, body, latencyMs }).catch((error) =>
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

/** The body of a call that was refused before it was read: parsed if possible, or else its bytes. */
async function readUnparsed(request: FastifyRequest, { botId }: PresentedKey): Promise<unknown> {
  const bytes = await readUnread(request)
  if (bytes.length === 0) return undefined
  try {
    const body = parseJson(bytes)
    return inChatForm(request.routeOptions.config.name, body, botId)
  } catch {
    return bytes
  }
}

/** As the mirror shows requests in OpenAI's formats; an invalid one as it is. */
function inChatForm(route: string | undefined, body: unknown, botId: string): unknown {
  try {
    if (route === 'POST /v1/chat/completions')
      return readCompletionRequest(body as ChatCompletionRequest, botId).chatRequest
    if (route === 'POST /v1/responses') return readResponsesRequest(body as ResponsesRequest, botId).chatRequest
  } catch {
    // Not valid: shown as it came.
  }
  return body
}

function readUnread({ raw, routeOptions }: FastifyRequest): Promise<Buffer> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  if (raw.readableDidRead || raw.destroyed) return Promise.resolve(Buffer.alloc(0))
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      raw.off('data', collect).off('end', end).off('close', end)
      resolve(Buffer.concat(chunks))
    }
    const collect = (chunk: Buffer) => {
      chunks.push(chunk)
      sizeBytes += chunk.length
      if (sizeBytes > routeOptions.bodyLimit) end()
    }
    const timer = setTimeout(end, BODY_TIMEOUT_MS)
    raw.on('data', collect).once('end', end).once('close', end)
  })
}
