// Large responses are read a few at a time, whoever asks for how many: their memory stays bounded, and chats find the
// database and the event loop free. Addresses take turns, so that one that asks for thousands keeps only itself waiting.
import { Fault } from '@docent/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { networkOf } from '../../access/rate-limits.ts'

const AT_ONCE = 4
/** Requests beyond it are refused before anything is read. */
const MAX_WAITING_PER_ADDRESS = 100
const MAX_WAITING = 2000
/** After a long turn its place rests for as long as the turn took, so that everything else gets as much time. */
const LONG_TURN_MS = 5
const LONGEST_REST_MS = 100

declare module 'fastify' {
  interface FastifyReply {
    /** Waits for a turn, which lasts until the handler has returned. Throws when too many wait already. */
    waitForTurn(): Promise<void>
    /** Reads a part of a large response, within the turn of its handler if it has one. */
    readInTurn<T>(read: () => Promise<T>): Promise<T>
    endTurn(): void
  }
}

export function installLargeReads(server: FastifyInstance) {
  const turns = makeTurns()
  /** Null: it has ended. */
  const endOfTurn = new WeakMap<FastifyReply, (() => void) | null>()
  /** Whose handlers have begun: their turns last until they have returned, even if the client has gone. */
  const handled = new WeakSet<FastifyReply>()

  async function takeTurn({ raw, request }: FastifyReply): Promise<() => void> {
    const end = await turns.take(networkOf(request.ip), raw)
    // Closed while it waited, perhaps to make room for others.
    if (!end) throw new Fault('request_timeout')
    return end
  }

  server.decorateReply('waitForTurn', async function (this: FastifyReply) {
    if (turns.isFull(networkOf(this.request.ip))) throw new Fault('rate_limited', { headers: { 'retry-after': '1' } })
    endOfTurn.set(this, await takeTurn(this))
    this.raw.once('close', () => {
      if (!handled.has(this)) this.endTurn()
    })
  })

  server.decorateReply('readInTurn', async function <T>(this: FastifyReply, read: () => Promise<T>): Promise<T> {
    if (endOfTurn.get(this)) return read()
    const end = await takeTurn(this)
    try {
      return await read()
    } finally {
      end()
    }
  })

  server.decorateReply('endTurn', function (this: FastifyReply) {
    const end = endOfTurn.get(this)
    if (!end) return
    endOfTurn.set(this, null)
    end()
  })

  server.addHook('preHandler', async (_request, reply) => {
    handled.add(reply)
    // Closed before.
    if (endOfTurn.get(reply) === null) throw new Fault('request_timeout')
  })
  // Refused before its handler.
  server.addHook('onSend', async (_request, reply) => {
    if (!handled.has(reply)) reply.endTurn()
  })
}

interface Waiting {
  proceed: (end: (() => void) | null) => void
}

/** What can be closed while it waits. */
interface Closable {
  destroyed: boolean
  once(event: 'close', then: () => void): void
  off(event: 'close', then: () => void): void
}

function makeTurns() {
  /** By network, the one whose turn is next first. */
  const queues = new Map<string, Set<Waiting>>()
  let free = AT_ONCE
  let waitingCount = 0

  function remove(network: string, waiting: Waiting) {
    const queue = queues.get(network)
    if (!queue?.delete(waiting)) return
    waitingCount--
    if (queue.size === 0) queues.delete(network)
  }

  function begin(): () => void {
    const startedAt = performance.now()
    return () => {
      const turnMs = performance.now() - startedAt
      if (turnMs < LONG_TURN_MS) next()
      else setTimeout(next, Math.min(turnMs, LONGEST_REST_MS)).unref()
    }
  }

  /** Passes the place on. */
  function next() {
    const [first] = queues
    if (!first) {
      free++
      return
    }
    const [network, queue] = first
    const [waiting] = queue as unknown as [Waiting]
    remove(network, waiting)
    // The others first.
    if (queues.delete(network)) queues.set(network, queue)
    waiting.proceed(begin())
  }

  return {
    isFull: (network: string) =>
      waitingCount >= MAX_WAITING || (queues.get(network)?.size ?? 0) >= MAX_WAITING_PER_ADDRESS,

    /** Null: closed meanwhile. */
    async take(network: string, response: Closable): Promise<(() => void) | null> {
      if (response.destroyed) return null
      if (free > 0) {
        free--
        return begin()
      }
      return new Promise((resolve) => {
        const leave = () => {
          remove(network, waiting)
          resolve(null)
        }
        const waiting: Waiting = {
          proceed(end) {
            response.off('close', leave)
            resolve(end)
          },
        }
        response.once('close', leave)
        const queue = queues.get(network) ?? new Set()
        queues.set(network, queue.add(waiting))
        waitingCount++
      })
    },
  }
}
