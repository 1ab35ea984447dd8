// Few enough rows at once that nobody waits for the database meanwhile.
const AT_ONCE = 300

/** Repeats what changes some rows until it finds no more. Tells how many it were. */
export async function inSlices(change: (most: number) => Promise<number>): Promise<number> {
  let total = 0
  for (let count = AT_ONCE; count === AT_ONCE; total += count) {
    count = await change(AT_ONCE)
    await new Promise(setImmediate)
  }
  return total
}
