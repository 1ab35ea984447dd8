// Anything else, such as a slip in the scheme, is for the server to refuse.
const HOST = /^[^\s/:?#@]+\.[^\s/:?#@]+(:\d+)?([/?#]|$)/

/** "example.com" is an address to people. */
export function withScheme(url: string): string {
  const text = url.trim()
  return HOST.test(text) ? `https://${text}` : text
}
