// Splits a JSON body into the items of its lists as bytes arrive, without buffering the rest: a top-level list, or
// lists in fields of a top-level object. It only tracks brackets and quotes; parsing validates the pieces.

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** A list item or a whole field. Items of a top-level list have no field. */
export interface JsonPiece {
  field: string | null
  isItem: boolean
  /** Valid until the next piece is taken; null if too long. */
  bytes: Buffer | null
}

type State =
  | 'start'
  | 'key or end'
  | 'key'
  | 'colon'
  | 'value'
  | 'after value'
  | 'item or end'
  | 'item'
  | 'after item'
  | 'end'

export class JsonError extends Error {}

/** `listFields` are split into items; other fields are returned whole. */
export function makeJsonSplitter(listFields: readonly string[], maxBytes: number) {
  const collector = makeByteCollector(maxBytes)
  let state: State = 'start'
  let field: string | null = null
  let inObject = false
  const lists = new Set<string>()
  // The kind of piece being collected.
  let collecting: 'no' | 'key' | 'value' | 'item' = 'no'
  let depth = 0
  let inString = false
  let isEscaped = false
  let isBare = false

  function begin(kind: 'key' | 'value' | 'item', byte: number) {
    collecting = kind
    depth = 0
    inString = false
    isEscaped = false
    isBare = byte !== QUOTE && byte !== OPEN_LIST && byte !== OPEN_OBJECT
  }

  /** The end of the current piece, or -1 if it does not end in this chunk. */
  function endOf(chunk: Buffer, from: number): number {
    // Local variables for speed: this loop sees every byte.
    let [level, isQuoted, skips] = [depth, inString, isEscaped]
    const { length } = chunk
    for (let at = from; at < length; at++) {
      let byte = chunk[at] as number
      if (isQuoted) {
        if (skips) {
          skips = false
          continue
        }
        // Fast path: most bytes are text inside quotes.
        while (byte !== QUOTE && byte !== BACKSLASH && ++at < length) byte = chunk[at] as number
        if (at === length) break
        if (byte === BACKSLASH) skips = true
        else {
          isQuoted = false
          if (level === 0) return at + 1
        }
      } else if (isBare) {
        if (byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT || isSpace(byte)) return at
      } else if (byte === QUOTE) isQuoted = true
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) level++
      else if ((byte === CLOSE_OBJECT || byte === CLOSE_LIST) && --level === 0) return at + 1
    }
    depth = level
    inString = isQuoted
    isEscaped = skips
    return -1
  }

  /** Handles one byte between pieces. */
  function step(byte: number) {
    if (state === 'start' && byte === OPEN_LIST) state = 'item or end'
    else if (state === 'start' && byte === OPEN_OBJECT) {
      inObject = true
      state = 'key or end'
    } else if (state === 'colon' && byte === COLON) state = 'value'
    else if (state === 'after value' && byte === COMMA) state = 'key'
    else if ((state === 'after value' || state === 'key or end') && byte === CLOSE_OBJECT) state = 'end'
    else if (state === 'after item' && byte === COMMA) state = 'item'
    else if ((state === 'after item' || state === 'item or end') && byte === CLOSE_LIST) {
      state = inObject ? 'after value' : 'end'
    } else if (state === 'value' && byte === OPEN_LIST && field !== null && listFields.includes(field)) {
      lists.add(field)
      state = 'item or end'
    } else if ((state === 'key' || state === 'key or end') && byte === QUOTE) begin('key', byte)
    else if (state === 'value' && byte !== COMMA && byte !== CLOSE_OBJECT && byte !== CLOSE_LIST) begin('value', byte)
    else if (
      (state === 'item' || state === 'item or end') &&
      byte !== COMMA &&
      byte !== CLOSE_OBJECT &&
      byte !== CLOSE_LIST
    ) {
      begin('item', byte)
    } else throw new JsonError()
  }

  function* finish(): Generator<JsonPiece> {
    const bytes = collector.take()
    if (collecting === 'key') {
      field = bytes === null ? '' : String(JSON.parse(bytes.toString('utf8')))
      state = 'colon'
    } else {
      state = collecting === 'item' ? 'after item' : 'after value'
      yield { field, isItem: collecting === 'item', bytes }
    }
    collecting = 'no'
  }

  return {
    *write(chunk: Buffer): Generator<JsonPiece> {
      for (let at = 0; at < chunk.length; ) {
        if (collecting === 'no') {
          const byte = chunk[at] as number
          if (isSpace(byte)) at++
          else {
            step(byte)
            if (collecting === 'no') at++
          }
          continue
        }
        const end = endOf(chunk, at)
        collector.add(chunk.subarray(at, end < 0 ? chunk.length : end))
        if (end < 0) return
        at = end
        yield* finish()
      }
    },
    /** Throws if the body is incomplete. Returns which list fields it had, or null for a top-level list. */
    end(): ReadonlySet<string> | null {
      if (state !== 'end') throw new JsonError()
      return inObject ? lists : null
    },
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

const NEWLINE = 10

/** Collects bytes in a buffer that doubles when full, so that each byte is copied about twice. */
export function makeByteCollector(maxBytes: number) {
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
