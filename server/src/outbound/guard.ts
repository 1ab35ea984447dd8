// The one way out to addresses that users give. A URL is judged as written when it is saved, and every address that its
// name stands for is judged again when a connection is made: an answer of the name server may change in between.
import { type Network, refusedAddress } from './addresses.ts'
import type { ResolveHost } from './resolve-host.ts'

export interface Guard {
  /** The addresses a host may be reached at. Throws when any of them is refused. */
  addressesOf(host: string): Promise<string[]>
  /** Throws when the address is refused. */
  check(address: string): void
}

/** Its message may be shown to whoever gave the URL: it names the kind of address, not the address. */
export class RefusedUrl extends Error {
  readonly code = 'ERR_REFUSED_URL'
  override readonly name = 'RefusedUrl'
}

const HOW_TO_ALLOW = 'The operator can allow it with ALLOWED_PRIVATE_NETWORKS.'

export function createGuard({ allowed, resolve }: { allowed: readonly Network[]; resolve: ResolveHost }): Guard {
  function check(address: string) {
    const reason = refusedAddress(address, allowed)
    if (reason) throw new RefusedUrl(`This host is ${reason}, which is not allowed. ${HOW_TO_ALLOW}`)
  }

  return {
    check,
    async addressesOf(host) {
      if (isLocalName(host)) {
        const open = ['127.0.0.1', '::1'].filter((address) => !refusedAddress(address, allowed))
        if (open.length === 0) check('127.0.0.1')
        return open
      }
      const addresses = await resolve(host)
      for (const address of addresses) {
        const reason = refusedAddress(address, allowed)
        if (reason) throw new RefusedUrl(`This host resolves to ${reason}, which is not allowed. ${HOW_TO_ALLOW}`)
      }
      return addresses
    },
  }
}

function isLocalName(host: string): boolean {
  return /(^|\.)localhost$/i.test(host.replace(/\.+$/, ''))
}
