// "Where is order 12345?" asks the same as "Where is order 67890?".

const values = /\S*[\d@]\S*/gu

/** A phrasing without numbers, codes and addresses; as it is when nothing else is left. */
export function withoutValues(text: string): string {
  const rest = text.replace(values, ' ').replace(/\s+/g, ' ').trim()
  return rest === '' ? text : rest
}
