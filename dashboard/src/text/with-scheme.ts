// Anything else, such as a mistyped scheme, is left for the server to reject.
const HOST = /^[^\s/:?#@]+\.[^\s/:?#@]+(:\d+)?([/?#]|$)/
/** Machines that rarely have a certificate: the own one, and any that is named with a port. */
const LOCAL_HOST = /^(localhost(:\d+)?|\d+(\.\d+){3}(:\d+)?|[\w-]+:\d+)([/?#]|$)/i

/** Accepts "example.com" and "localhost:3000" as URLs. */
export function withScheme(url: string): string {
  const text = url.trim()
  if (LOCAL_HOST.test(text)) return `http://${text}`
  return HOST.test(text) ? `https://${text}` : text
}
