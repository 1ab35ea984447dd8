// Anything else, such as a mistyped scheme, is left for the server to reject.
const HOST = /^[^\s/:?#@]+\.[^\s/:?#@]+(:\d+)?([/?#]|$)/

/** Accepts "example.com" as a URL. */
export function withScheme(url: string): string {
  const text = url.trim()
  return HOST.test(text) ? `https://${text}` : text
}
