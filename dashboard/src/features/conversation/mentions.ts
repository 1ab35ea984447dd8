// Names of members in the text of a note.

/** Longer names first: "@Ada Byron" is not "@Ada". */
export function mentionPatterns(names: string[]): string[] {
  return names
    .toSorted((one, other) => other.length - one.length)
    .map((name) => `@${name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}(?![\\p{L}\\p{M}\\p{N}])`)
}

/** The ids of those whose names are still in the text. */
export function mentionedIn(text: string, pickedMembers: Map<string, string>): string[] {
  if (pickedMembers.size === 0) return []
  const mentions = new Set(text.match(new RegExp(mentionPatterns([...pickedMembers.values()]).join('|'), 'gu')))
  return [...pickedMembers].filter(([, name]) => mentions.has(`@${name}`)).map(([id]) => id)
}
