const schemes = ['http:', 'https:', 'mailto:', 'tel:']
// Browsers drop tabs and line breaks inside an address, so what has any is never what it seems.
const HIDDEN = /[\p{Cc}\p{Cf}\s]/u

/** The address if a visitor may be sent there: whole, with a known scheme, and without a name before the host. */
export function safeUrl(text: string | null | undefined): string | null {
  if (!text || HIDDEN.test(text)) return null
  try {
    const url = new URL(text)
    return schemes.includes(url.protocol) && !url.username ? url.href : null
  } catch {
    return null
  }
}

/** The same for what is loaded: pictures come over HTTP only. */
export function safeImageUrl(text: string | null | undefined): string | null {
  const url = safeUrl(text)
  return url?.startsWith('http') ? url : null
}
