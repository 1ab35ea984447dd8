// Feed URLs may contain secrets: a user name and password, or a token.

/** The part that may be shown. */
export function shownUrl(text: string): string {
  const url = new URL(text)
  const credentials = url.username || url.password ? '…@' : ''
  // A parameter without a value may be the secret itself.
  const names = [...url.searchParams].map(([name, value]) => (value ? `${encodeURIComponent(name)}=…` : '…'))
  return `${url.protocol}//${credentials}${url.host}${url.pathname}${names.length > 0 ? `?${names.join('&')}` : ''}`
}

/** The part that viewers see: even the path may contain a token. */
export function hostAndFile(shown: string): string {
  const { protocol, host, pathname } = new URL(shown)
  const file = pathname.split('/').at(-1) ?? ''
  if (!/\.\w{2,7}$/.test(file)) return `${protocol}//${host}/…`
  return `${protocol}//${host}/${pathname === `/${file}` ? '' : '…/'}${file}`
}

/** Moves credentials to a header. */
export function feedRequest(text: string): { url: string; authorization: string | null } {
  const url = new URL(text)
  const { username, password } = url
  url.username = ''
  url.password = ''
  url.hash = ''
  if (!username && !password) return { url: url.href, authorization: null }
  const pair = `${decodeUrlPart(username)}:${decodeUrlPart(password)}`
  return { url: url.href, authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

function decodeUrlPart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
