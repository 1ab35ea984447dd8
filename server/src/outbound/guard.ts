// Guards against SSRF. A URL is checked when it is saved, and its resolved addresses again on every connection,
// because DNS answers can change in between.

import { lookup, Resolver } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export interface Guard {
  /** Resolves a host. Throws when any of its addresses is refused. */
  addressesOf(host: string): Promise<string[]>
  /** Throws when the address is refused. */
  check(address: string): void
  /** Whether the operator lists its network. */
  isListed(address: string): boolean
}

/** The message is safe to show to the user: it names the kind of address, not the address. */
export class RefusedUrl extends Error {
  readonly code = 'ERR_REFUSED_URL'
  override readonly name = 'RefusedUrl'
}

const HOW_TO_ALLOW = 'The operator can allow it with ALLOWED_PRIVATE_NETWORKS.'

export function makeGuard({ allowed, resolve }: { allowed: readonly Network[]; resolve: ResolveHost }): Guard {
  function check(address: string) {
    const reason = addressProblem(address, allowed)
    if (reason) throw new RefusedUrl(`This host is ${reason}, which is not allowed. ${HOW_TO_ALLOW}`)
  }

  return {
    check,
    isListed: (address) => allowed.some((network) => contains(network, ipaddr.process(address))),
    async addressesOf(host) {
      if (isLocalName(host)) {
        const open = ['127.0.0.1', '::1'].filter((address) => !addressProblem(address, allowed))
        if (open.length === 0) check('127.0.0.1')
        return open
      }
      const addresses = await resolve(host)
      for (const address of addresses) {
        const reason = addressProblem(address, allowed)
        if (reason) throw new RefusedUrl(`This host resolves to ${reason}, which is not allowed. ${HOW_TO_ALLOW}`)
      }
      return addresses
    },
  }
}

function isLocalName(host: string): boolean {
  return /(^|\.)localhost$/i.test(host.replace(/\.+$/, ''))
}

// Checks whether a URL may be called, and says why not in a sentence for the user.

const LONGEST = 2000

const PLAIN_KEY =
  'A key is only sent over https. Use https://, or ask the operator to list the network of this host in ALLOWED_PRIVATE_NETWORKS.'

/**
 * Why the URL is refused, or null. An unresolvable name passes: it is checked again on every call. With a key, http is for the
 * networks that the operator lists: elsewhere others could read it on the way.
 */
export async function urlProblem(text: string, guard: Guard, { carriesKey = false } = {}): Promise<string | null> {
  let needsListed = false
  try {
    const { hostname, protocol } = parseUrl(text)
    needsListed = carriesKey && protocol === 'http:'
    const host = bareHost(hostname)
    if (isIP(host)) guard.check(host)
    const addresses = isIP(host) ? [host] : await guard.addressesOf(host)
    return needsListed && !addresses.every(guard.isListed) ? PLAIN_KEY : null
  } catch (error) {
    if (error instanceof RefusedUrl) return error.message
    return needsListed ? PLAIN_KEY : null
  }
}

/** An http or https URL without credentials. The parser already normalises `0x7f.1` to `127.0.0.1`. */
export function parseUrl(text: string): URL {
  if (text.length > LONGEST) throw new RefusedUrl(`Use a URL of at most ${LONGEST} characters.`)
  if (!URL.canParse(text)) throw new RefusedUrl('This is not a URL. Enter a complete one, such as https://example.com.')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new RefusedUrl('Enter a URL that starts with http:// or https://.')
  if (url.username || url.password) throw new RefusedUrl('The URL must not contain a user name or password.')
  if (url.port === '0') throw new RefusedUrl('Port 0 cannot be used.')
  return url
}

export function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}

// Which addresses user-given URLs may reach: public unicast, plus the networks the operator allows.

type Address = ipaddr.IPv4 | ipaddr.IPv6
export interface Network {
  address: Address
  bits: number
}

const kinds: Record<string, string> = {
  loopback: 'a loopback address',
  unspecified: 'an unspecified address',
  private: 'a private address',
  uniqueLocal: 'a private address',
  linkLocal: 'a link-local address',
  carrierGradeNat: 'a carrier-grade NAT address',
  multicast: 'a multicast address',
  broadcast: 'a broadcast address',
}

// Azure's platform endpoint, reachable from every VM; it looks public.
const metadata = ipaddr.parse('168.63.129.16').toString()
const documentation = cidr('3fff::/20')
const globalUnicast = cidr('2000::/3')

/** A CIDR range or a single address; undefined when the text is neither. */
export function parseNetwork(text: string): Network | undefined {
  // The parser would read "10/8" as 0.0.0.10/8.
  const [address = ''] = text.split('/')
  const isWhole = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address)
  if (isWhole && ipaddr.isValidCIDR(text)) return cidr(text)
  return isWhole && address === text ? { address: ipaddr.parse(text), bits: text.includes(':') ? 128 : 32 } : undefined
}

/** Why this address is refused, or null when it may be reached. */
function addressProblem(text: string, allowedNetworks: readonly Network[]): string | null {
  if (!ipaddr.isValid(text)) return 'not an address'
  const address = ipaddr.process(text)
  if (allowedNetworks.some((network) => contains(network, address))) return null
  const kind = address.range()
  if (kind !== 'unicast') return kinds[kind] ?? 'a reserved address'
  if (address.kind() === 'ipv4') return address.toString() === metadata ? 'a metadata address' : null
  // Everything else, such as ranges that embed an IPv4 address, is not public.
  return contains(globalUnicast, address) && !contains(documentation, address) ? null : 'a reserved address'
}

function contains(network: Network, address: Address): boolean {
  return network.address.kind() === address.kind() && address.match(network.address, network.bits)
}

function cidr(text: string): Network {
  const [address, bits] = ipaddr.parseCIDR(text)
  return { address, bits }
}

// Resolves host names without libuv's thread pool, where a slow name server would block file access and compression.

type ResolveHost = (host: string) => Promise<string[]>

const TIMEOUT_MS = 2000
const ABSENT = ['ENOTFOUND', 'ENODATA', 'ENONAME', 'EBADNAME']

/** Asks the system's name servers, or the given ones. */
export function makeResolveHost(servers: readonly string[]): ResolveHost {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  const hostsFile = readHostsFile()
  return async (host) => {
    const hostAddresses = hostsFile.get(host.toLowerCase())
    if (hostAddresses) return hostAddresses
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length > 0) return addresses
    const failure = answers.find((answer) => answer.status === 'rejected' && !ABSENT.includes(answer.reason.code))
    if (failure?.status === 'rejected') throw failure.reason
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
