/** Paths of the texts that the second lacks of the first. */
export function missingTexts(whole: object, part: object, path = ''): string[] {
  const fields = part as Record<string, unknown>
  return Object.entries(whole).flatMap(([name, text]) => {
    const inner = fields[name]
    if (inner === undefined) return [path + name]
    const isGroup = typeof text === 'object' && !Array.isArray(text)
    return isGroup ? missingTexts(text, inner as object, `${path}${name}.`) : []
  })
}
