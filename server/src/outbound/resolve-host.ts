// A name to its addresses, without the thread pool that files and compression need: a slow name server delays nobody else.
import { lookup, Resolver } from 'node:dns/promises'

export type ResolveHost = (host: string) => Promise<string[]>

const TIMEOUT_MS = 2000
const absent = ['ENOTFOUND', 'ENODATA', 'ENONAME', 'EBADNAME']

/** Asks the machine's name servers, or the given ones. */
export function hostResolver(servers: readonly string[]): ResolveHost {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  return async (host) => {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length > 0) return addresses
    const failed = answers.find((answer) => answer.status === 'rejected' && !absent.includes(answer.reason.code))
    if (failed?.status === 'rejected') throw failed.reason
    // Names of the hosts file are known to the system alone.
    return (await lookup(host, { all: true })).map(({ address }) => address)
  }
}
