// "Where is order 12345?" asks the same as "Where is order 67890?".

const VALUE = /[\d@]/

/** A phrasing without numbers, codes and addresses; as it is when nothing else is left. */
export function withoutValues(text: string): string {
  const words = text.split(/\s+/).filter((word) => word !== '' && !VALUE.test(word))
  return words.length === 0 ? text : words.join(' ')
}
