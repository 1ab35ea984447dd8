// A sealed cookie, kept after the session ends, marks browsers an account has used before. Their attempts are
// counted separately, so that strangers who guess cannot lock the person out.
import { DAY_MS } from '../../days.ts'
import { randomId } from '../../ids.ts'
import type { SealedText } from '../../sealed-text.ts'
import { createHostCookie } from './host-cookie.ts'

const PLACE = 'known device'
const KNOWN_DAYS = 365

export interface KnownDevice {
  id: string
  accountId: string
}

export type KnownDevices = ReturnType<typeof createKnownDevices>

interface Deps {
  baseUrl: string
  sealed: SealedText
  clock: () => number
}

export function createKnownDevices({ baseUrl, sealed, clock }: Deps) {
  const cookie = createHostCookie(baseUrl, {
    name: 'docent_device',
    maxAgeSeconds: KNOWN_DAYS * 86_400,
    pattern: /^[\w.-]{1,400}$/,
  })

  return {
    read(header: string | undefined): KnownDevice | null {
      const value = cookie.read(header)
      const text = value === null ? null : sealed.open(value, PLACE)
      const [id, accountId, seenAt] = text?.split(' ') ?? []
      if (!id || !accountId || clock() - Number(seenAt) >= KNOWN_DAYS * DAY_MS) return null
      return { id, accountId }
    },

    /** The `Set-Cookie` header after a log-in. Another account's device counts as new. */
    write(accountId: string, before: KnownDevice | null, host: string | undefined): string {
      const id = before?.accountId === accountId ? before.id : randomId('dev')
      return cookie.write(sealed.seal(`${id} ${accountId} ${clock()}`, PLACE), host)
    },
  }
}
