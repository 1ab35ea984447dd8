// The address of a feed, which may hold a secret: a user name and password, or a token.

/** What may be shown of it. */
export function shownUrl(text: string): string {
  const url = new URL(text)
  const credentials = url.username || url.password ? '…@' : ''
  // What has no value may be the secret itself.
  const names = [...url.searchParams].map(([name, value]) => (value ? `${encodeURIComponent(name)}=…` : '…'))
  return `${url.protocol}//${credentials}${url.host}${url.pathname}${names.length > 0 ? `?${names.join('&')}` : ''}`
}

/** What viewers see of it: a path may hold a token, too. */
export function hostAndFile(shown: string): string {
  const { protocol, host, pathname } = new URL(shown)
  const file = pathname.split('/').at(-1) ?? ''
  if (!/\.\w{2,7}$/.test(file)) return `${protocol}//${host}/…`
  return `${protocol}//${host}/${pathname === `/${file}` ? '' : '…/'}${file}`
}

/** Credentials go into a header of their own. */
export function feedRequest(text: string): { url: string; authorization: string | null } {
  const url = new URL(text)
  const { username, password } = url
  url.username = ''
  url.password = ''
  url.hash = ''
  if (!username && !password) return { url: url.href, authorization: null }
  const pair = `${decoded(username)}:${decoded(password)}`
  return { url: url.href, authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
