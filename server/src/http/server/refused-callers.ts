// Answers rate-limited callers again from memory, before the request and its body are parsed, so that a flood costs
// little more than reading it from the socket.
import { hash } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http'
import type { Fault } from '@docent/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { randomId } from '../../ids.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { errorBody } from './errors.ts'

export type RememberRefusal = (request: FastifyRequest, reply: FastifyReply, fault: Fault, until: number) => void

interface Refusal {
  until: number
  /** Time left when it was recorded. */
  leftMs: number
  status: number
  headers: Record<string, OutgoingHttpHeader | undefined>
  /** The text before and after the request id. */
  body: [string, string]
  route: string
}

interface Deps {
  metrics: Pick<Metrics, 'count'>
  isStopping: () => boolean
  clock: () => number
}

const MAX_ENTRIES = 10_000
const LONGEST_NAME = 300
const LONGEST_ORIGIN = 300

export function makeRefusedCallers(server: FastifyInstance, { metrics, isStopping, clock }: Deps): RememberRefusal {
  const refusals = new Map<string, Refusal>()

  function answerAgain(request: IncomingMessage, response: ServerResponse): boolean {
    if (refusals.size === 0 || isStopping()) return false
    const name = sameCaller(request)
    const refusal = refusals.get(name)
    if (!refusal) return false
    const leftMs = refusal.until - clock()
    // More time left than at first means the clock was set back.
    if (leftMs <= 0 || leftMs > refusal.leftMs) {
      refusals.delete(name)
      return false
    }
    const id = randomId('req')
    response.writeHead(refusal.status, {
      ...refusal.headers,
      'retry-after': String(Math.ceil(leftMs / 1000)),
      'x-request-id': id,
    })
    response.end(refusal.body[0] + id + refusal.body[1])
    // No log line: the first refusal has one.
    metrics.count('docent_requests_total', { route: refusal.route, status: refusal.status })
    return true
  }

  const [handle] = server.server.listeners('request') as [(...exchange: [IncomingMessage, ServerResponse]) => void]
  server.server.removeListener('request', handle)
  server.server.on('request', (request, response) => {
    if (!answerAgain(request, response)) handle(request, response)
  })

  return (request, reply, fault, until) => {
    // Refusals echo the origin, so a long one would use memory.
    if ((request.headers.origin?.length ?? 0) > LONGEST_ORIGIN) return
    // Callers that change address every time: caching does not help.
    if (refusals.size >= MAX_ENTRIES) refusals.clear()
    const id = randomId('req')
    const [before = '', after = ''] = JSON.stringify(errorBody(fault, id)).split(id)
    const length = Buffer.byteLength(before + id + after)
    refusals.set(sameCaller(request.raw), {
      until,
      leftMs: until - clock(),
      status: fault.status,
      body: [before, after],
      headers: { ...reply.getHeaders(), 'content-type': 'application/json', 'content-length': length },
      route: request.routeOptions.config.name ?? 'other',
    })
  }
}

/** Everything the first refusal depended on; long headers are hashed to bound the memory. */
function sameCaller({ method, url, socket, headers }: IncomingMessage): string {
  const name = `${method} ${url} ${socket.remoteAddress} ${headers['x-forwarded-for']} ${headers.host} ${headers.origin}`
  return name.length <= LONGEST_NAME ? name : hash('sha256', name)
}
