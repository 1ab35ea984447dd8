// An HttpOnly cookie for this host alone. Over TLS, or locally, the __Host- prefix binds it to this host and TLS; on
// plain http elsewhere browsers would reject that, so it is left out.
// Parsed on demand: @fastify/cookie would parse every cookie of every request.
const LOCAL = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

export interface HostCookie {
  read(cookie: string | undefined): string | null
  /** The `Set-Cookie` header for a request to this host. */
  write(value: string, host: string | undefined): string
  clear(host: string | undefined): string
}

interface Shape {
  name: string
  maxAgeSeconds: number
  /** Values of another form are ignored. */
  pattern: RegExp
}

export const sessionCookie = (baseUrl: string) =>
  createHostCookie(baseUrl, { name: 'docent_session', maxAgeSeconds: 90 * 86_400, pattern: /^[\w-]{43}$/ })

export function createHostCookie(baseUrl: string, { name: plainName, maxAgeSeconds, pattern }: Shape): HostCookie {
  const hasTls = baseUrl.startsWith('https:')
  const secureName = `__Host-${plainName}`
  const header = (value: string, host: string | undefined, maxAge: number) => {
    const isSecure = hasTls || LOCAL.test(host ?? '')
    const name = isSecure ? secureName : plainName
    return `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  }
  function named(cookie: string | undefined, name: string): string | null {
    for (const part of cookie?.split(';') ?? []) {
      const [key, value] = part.trim().split('=')
      if (key === name && value && pattern.test(value)) return value
    }
    return null
  }
  return {
    read: (cookie) => named(cookie, secureName) ?? (hasTls ? null : named(cookie, plainName)),
    write: (value, host) => header(value, host, maxAgeSeconds),
    clear: (host) => header('', host, 0),
  }
}
