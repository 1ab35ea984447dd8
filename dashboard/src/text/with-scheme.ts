/** "example.com" is an address to people. */
export function withScheme(url: string): string {
  const text = url.trim()
  return text === '' || /^https?:\/\//i.test(text) ? text : `https://${text}`
}
