// Guards against SSRF. A URL is checked when it is saved, and its resolved addresses again on every connection,
// because DNS answers can change in between.
import { addressProblem, type Network } from './addresses.ts'
import type { ResolveHost } from './resolve-host.ts'

export interface Guard {
  /** Resolves a host. Throws when any of its addresses is refused. */
  addressesOf(host: string): Promise<string[]>
  /** Throws when the address is refused. */
  check(address: string): void
}

/** The message is safe to show to the user: it names the kind of address, not the address. */
export class RefusedUrl extends Error {
  readonly code = 'ERR_REFUSED_URL'
  override readonly name = 'RefusedUrl'
}

const HOW_TO_ALLOW = 'The operator can allow it with ALLOWED_PRIVATE_NETWORKS.'

export function createGuard({ allowed, resolve }: { allowed: readonly Network[]; resolve: ResolveHost }): Guard {
  function check(address: string) {
    const reason = addressProblem(address, allowed)
    if (reason) throw new RefusedUrl(`This host is ${reason}, which is not allowed. ${HOW_TO_ALLOW}`)
  }

  return {
    check,
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
