const NEWLINE = 10

/** Collects bytes in a buffer that doubles when full, so that each byte is copied about twice. */
export function createByteCollector(maxBytes: number) {
  let bytes = Buffer.allocUnsafe(64 * 1024)
  let length = 0
  let tooLong = false

  function add(part: Buffer) {
    tooLong ||= length + part.length > maxBytes
    if (tooLong) return
    if (length + part.length > bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(2 * bytes.length, length + part.length))
      bytes.copy(larger, 0, 0, length)
      bytes = larger
    }
    part.copy(bytes, length)
    length += part.length
  }

  /** The bytes so far, valid until the next call of add, or null if there are too many. Then starts over. */
  function take(): Buffer | null {
    const piece = tooLong ? null : bytes.subarray(0, length)
    length = 0
    tooLong = false
    return piece
  }

  return {
    add,
    take,
    /** Adds a part and takes each line that ends in it. */
    *takeLines(part: Buffer): Generator<Buffer | null> {
      let start = 0
      for (let end = part.indexOf(NEWLINE); end >= 0; end = part.indexOf(NEWLINE, start)) {
        add(part.subarray(start, end))
        yield take()
        start = end + 1
      }
      add(part.subarray(start))
    },
  }
}
