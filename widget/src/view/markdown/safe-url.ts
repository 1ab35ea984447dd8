const SCHEMES = ['http:', 'https:', 'mailto:', 'tel:']
// Browsers ignore tabs and line breaks in URLs, so these could disguise the scheme.
const HIDDEN = /[\p{Cc}\p{Cf}\s]/u

/** The URL if it is safe to link: absolute, with an allowed scheme, and without credentials. */
export function safeUrl(text: string | null | false | undefined): string | null {
  if (!text || HIDDEN.test(text)) return null
  try {
    const url = new URL(text)
    return SCHEMES.includes(url.protocol) && !url.username ? url.href : null
  } catch {
    return null
  }
}

/** The same for images, which need http or https. */
export function safeImageUrl(text: string | null | false): string | null {
  const url = safeUrl(text)
  return url?.startsWith('http') ? url : null
}
