// Names of members in the text of a note.

/** Longer names first: "@Ada Byron" is not "@Ada". */
export function mentionPatterns(names: string[]): string[] {
  return names
    .toSorted((one, other) => other.length - one.length)
    .map((name) => `@${name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}(?![\\p{L}\\p{M}\\p{N}])`)
}

/** The ids of those whose names are still in the text. */
export function mentionedIn(text: string, picked: Map<string, string>): string[] {
  if (picked.size === 0) return []
  const found = new Set(text.match(new RegExp(mentionPatterns([...picked.values()]).join('|'), 'gu')))
  return [...picked].filter(([, name]) => found.has(`@${name}`)).map(([id]) => id)
}
