import ipaddr from 'ipaddr.js'

/** A provider's customer gets a whole IPv6 /64. */
export function networkOf(ip: string): string {
  return prefixOf(ip, 4, 8)
}

/** Networks in which one owner can have many addresses: IPv4 /24, IPv6 /48. */
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
