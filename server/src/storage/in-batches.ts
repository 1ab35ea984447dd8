// Small batches, so that nobody waits long for the database.
const AT_ONCE = 300

interface Options {
  most?: number
  /** Checked between batches. */
  isStopping?: () => boolean
}

/** Repeats a batch operation until no rows are left. Returns the total. */
export async function inBatches(
  change: (most: number) => Promise<number>,
  { most = AT_ONCE, isStopping = () => false }: Options = {},
): Promise<number> {
  let total = 0
  for (let count = most; count === most && !isStopping(); total += count) {
    count = await change(most)
    await new Promise(setImmediate)
  }
  return total
}
