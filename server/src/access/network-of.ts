import ipaddr from 'ipaddr.js'

/** One customer of a provider has a whole /64 of IPv6 addresses. */
export function networkOf(ip: string): string {
  return prefixOf(ip, 4, 8)
}

/** What one owner can have many addresses in: a /24 of IPv4, a /48 of IPv6. */
export function wideNetworkOf(ip: string): string {
  return prefixOf(ip, 3, 6)
}

function prefixOf(ip: string, ipv4Bytes: number, ipv6Bytes: number): string {
  // A proxy may forward something that is not an address.
  if (!ipaddr.isValid(ip)) return 'nowhere'
  const address = ipaddr.process(ip)
  return address
    .toByteArray()
    .slice(0, address.kind() === 'ipv6' ? ipv6Bytes : ipv4Bytes)
    .join('.')
}
