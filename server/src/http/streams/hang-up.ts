import type { FastifyReply } from 'fastify'

/** Aborted when the caller is gone before the answer was sent whole. */
export function hangUpSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort()
  })
  return controller.signal
}
