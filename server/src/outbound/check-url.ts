// Checks whether a URL may be called, and says why not in a sentence for the user.
import { isIP } from 'node:net'
import { type Guard, RefusedUrl } from './guard.ts'

const LONGEST = 2000

/** Why the URL is refused, or null. An unresolvable name passes: it is checked again on every call. */
export async function urlProblem(text: string, guard: Guard): Promise<string | null> {
  try {
    const { hostname } = parseUrl(text)
    const host = bareHost(hostname)
    if (isIP(host)) guard.check(host)
    else await guard.addressesOf(host)
    return null
  } catch (error) {
    return error instanceof RefusedUrl ? error.message : null
  }
}

/** An http or https URL without credentials. The parser already normalises `0x7f.1` to `127.0.0.1`. */
export function parseUrl(text: string): URL {
  if (text.length > LONGEST) throw new RefusedUrl(`Use a URL of at most ${LONGEST} characters.`)
  if (!URL.canParse(text)) throw new RefusedUrl('Enter a complete URL, such as https://example.com.')
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
