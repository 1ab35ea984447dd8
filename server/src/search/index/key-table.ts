// An open-addressing hash table whose keys are hashes already: a plain array, so a snapshot loads without building
// anything.

/** For each slot the key's number plus one; 0 is empty. */
export function buildKeyTable(keys: Float64Array): Uint32Array {
  let size = 8
  while (size < keys.length * 2) size *= 2
  const table = new Uint32Array(size)
  keys.forEach((key, number) => {
    let slot = key % size
    while (table[slot] !== 0) slot = (slot + 1) % size
    table[slot] = number + 1
  })
  return table
}

/** The number of the key, or -1. */
export function findKey(table: Uint32Array, keys: Float64Array, key: number): number {
  const size = table.length
  for (let slot = key % size; ; slot = (slot + 1) % size) {
    const number = table[slot]!
    if (number === 0) return -1
    if (keys[number - 1] === key) return number - 1
  }
}
