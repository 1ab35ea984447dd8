// The cookie that carries a session. Where pages come over TLS, or from the machine itself, the prefix binds it to this
// host and to TLS; on plain http elsewhere browsers would refuse that, so it goes without.
const SECURE_NAME = '__Host-docent_session'
const PLAIN_NAME = 'docent_session'
const MAX_AGE_SECONDS = 90 * 86_400
const LOCAL = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

export interface SessionCookie {
  read(cookie: string | undefined): string | null
  /** The `Set-Cookie` header for a request to this host. */
  write(token: string, host: string | undefined): string
  clear(host: string | undefined): string
}

export function sessionCookie(baseUrl: string): SessionCookie {
  const hasTls = baseUrl.startsWith('https:')
  const header = (token: string, host: string | undefined, maxAge: number) => {
    const isSecure = hasTls || LOCAL.test(host ?? '')
    const name = isSecure ? SECURE_NAME : PLAIN_NAME
    return `${name}=${token}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  }
  return {
    read(cookie) {
      const token = cookieNamed(cookie, SECURE_NAME)
      return token ?? (hasTls ? null : cookieNamed(cookie, PLAIN_NAME))
    },
    write: (token, host) => header(token, host, MAX_AGE_SECONDS),
    clear: (host) => header('', host, 0),
  }
}

function cookieNamed(cookie: string | undefined, name: string): string | null {
  for (const part of cookie?.split(';') ?? []) {
    const [key, value] = part.trim().split('=')
    if (key === name && value && /^[\w-]{43}$/.test(value)) return value
  }
  return null
}
