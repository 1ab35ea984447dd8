import type { FastifyInstance } from 'fastify'

/** Collects the methods of routes registered from now on, by path. */
export function allowedMethods(server: FastifyInstance) {
  const known: { method: string; pattern: RegExp }[] = []
  server.addHook('onRoute', ({ method, url }) => {
    const pattern = new RegExp(`^${url.replace(/:\w+/g, '[^/]+')}$`)
    for (const name of [method].flat()) known.push({ method: name, pattern })
  })
  return (path: string) => known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
}
