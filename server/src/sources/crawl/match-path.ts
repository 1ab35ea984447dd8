/**
 * Matches a pattern as in robots.txt (RFC 9309): from the start, `*` for any characters, a final `$` for the end.
 * Takes linear time, whatever the pattern.
 */
export function matchPath(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$')
  const [first = '', ...rest] = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  if (!path.startsWith(first)) return false
  let at = first.length
  if (rest.length === 0) return !isWhole || at === path.length
  const last = rest.pop() ?? ''
  for (const part of rest) {
    const found = path.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  if (isWhole) return path.length - last.length >= at && path.endsWith(last)
  return path.indexOf(last, at) >= 0
}
