import ipaddr from 'ipaddr.js'

/** One customer of a provider has a whole /64 of IPv6 addresses. */
export function networkOf(ip: string): string {
  // A proxy may pass on what is no address.
  if (!ipaddr.isValid(ip)) return 'nowhere'
  const address = ipaddr.process(ip)
  return address.kind() === 'ipv6' ? address.toByteArray().slice(0, 8).join('.') : address.toString()
}
