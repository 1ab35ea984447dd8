// Resolves host names without libuv's thread pool, where a slow name server would block file access and compression.
import { lookup, Resolver } from 'node:dns/promises'
import { readFileSync } from 'node:fs'

export type ResolveHost = (host: string) => Promise<string[]>

const TIMEOUT_MS = 2000
const absent = ['ENOTFOUND', 'ENODATA', 'ENONAME', 'EBADNAME']

/** Asks the system's name servers, or the given ones. */
export function createResolveHost(servers: readonly string[]): ResolveHost {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  const written = readHostsFile()
  return async (host) => {
    const known = written.get(host.toLowerCase())
    if (known) return known
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length > 0) return addresses
    const failed = answers.find((answer) => answer.status === 'rejected' && !absent.includes(answer.reason.code))
    if (failed?.status === 'rejected') throw failed.reason
    // A short name may need the search domains, which only the system knows.
    if (host.includes('.') || servers.length > 0) throw new NameUnknown('The host name could not be resolved.')
    return (await lookup(host, { all: true })).map(({ address }) => address)
  }
}

class NameUnknown extends Error {
  readonly code = 'ENOTFOUND'
}

/** Read once, at startup. */
function readHostsFile(): Map<string, string[]> {
  const names = new Map<string, string[]>()
  for (const line of readFile('/etc/hosts').split('\n')) {
    const [address, ...hosts] = (line.split('#')[0] ?? '').trim().split(/\s+/)
    for (const host of hosts) names.set(host.toLowerCase(), [...(names.get(host.toLowerCase()) ?? []), address ?? ''])
  }
  return names
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
