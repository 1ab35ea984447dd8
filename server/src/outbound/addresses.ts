// Which addresses user-given URLs may reach: public unicast, plus the networks the operator allows.
import ipaddr from 'ipaddr.js'

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
export function addressProblem(text: string, allowed: readonly Network[]): string | null {
  if (!ipaddr.isValid(text)) return 'not an address'
  const address = ipaddr.process(text)
  if (allowed.some((network) => contains(network, address))) return null
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
