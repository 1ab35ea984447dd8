// Dot products of one query with a block of quantised vectors, sixteen dimensions at a time, because WebAssembly
// has SIMD and JavaScript does not. The program is small enough to assemble here, without a build step.
import { dotCodes } from './quantise.ts'

const LANES = 16
const PAGE_BYTES = 65_536
const LONGEST_QUERY = 16_384
const BLOCK_BYTES = 1 << 20
const MAX_SCORES = BLOCK_BYTES / LANES

const codesAt = LONGEST_QUERY
const scoresAt = codesAt + BLOCK_BYTES
const pages = Math.ceil((scoresAt + MAX_SCORES * 4) / PAGE_BYTES)

interface Kernel {
  memory: WebAssembly.Memory
  dots(query: number, codes: number, codesEnd: number, scores: number, dimensions: number): void
}

let kernel: Kernel | null | undefined
let plainScores = new Int32Array(0)

/** How many vectors fit into one block. */
export function blockSize(dimensions: number): number {
  return Math.max(1, Math.floor(BLOCK_BYTES / dimensions))
}

/** One score for each of `count` vectors from `first` on; the next call reuses the array. */
export function dotBlock(query: Int8Array, codes: Int8Array, first: number, count: number): Int32Array {
  const dimensions = query.length
  if (kernel === undefined) kernel = makeKernel()
  const from = first * dimensions
  if (!kernel || dimensions % LANES !== 0 || dimensions > LONGEST_QUERY) {
    if (plainScores.length < count) plainScores = new Int32Array(count)
    for (let i = 0; i < count; i++) plainScores[i] = dotCodes(query, codes, from + i * dimensions)
    return plainScores
  }
  const bytes = new Int8Array(kernel.memory.buffer)
  bytes.set(query, 0)
  bytes.set(codes.subarray(from, from + count * dimensions), codesAt)
  kernel.dots(0, codesAt, codesAt + count * dimensions, scoresAt, dimensions)
  return new Int32Array(kernel.memory.buffer, scoresAt, count)
}

/** Null where WebAssembly has no SIMD, because of the CPU or Node's options. */
function makeKernel(): Kernel | null {
  try {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(program()))
    return { memory: exports.m as WebAssembly.Memory, dots: exports.f as Kernel['dots'] }
  } catch {
    return null
  }
}

function program(): Uint8Array<ArrayBuffer> {
  const i32 = 0x7f
  const v128 = 0x7b
  const [query, codes, codesEnd, scores, dimensions, at, sum, a, b] = [0, 1, 2, 3, 4, 5, 6, 7, 8]
  const get = (local: number) => [0x20, local]
  const set = (local: number) => [0x21, local]
  const tee = (local: number) => [0x22, local]
  const number = (value: number) => [0x41, value]
  const add = [0x6a]
  const isLess = [0x49]
  const loop = (body: number[]) => [0x03, 0x40, ...body, 0x0b]
  const repeatIf = [0x0d, 0]
  const storeNumber = [0x36, 2, 0]
  const loadVector = [0xfd, 0x00, 0, 0]
  const zeroVector = [0xfd, 0x0c, ...Array<number>(LANES).fill(0)]
  // Codes range from -127 to 127, so the sum of two products fits into 16 bits.
  const multiplyLow = [0xfd, 0x9c, 0x01]
  const multiplyHigh = [0xfd, 0x9d, 0x01]
  const add16 = [0xfd, 0x8e, 0x01]
  const addPairs = [0xfd, 0x7e]
  const add32 = [0xfd, 0xae, 0x01]
  const lane = (index: number) => [0xfd, 0x1b, index]

  const sumUp = [
    ...get(sum),
    ...get(query).concat(get(at), add, loadVector, tee(a)),
    ...get(codes).concat(get(at), add, loadVector, tee(b)),
    ...multiplyLow,
    ...get(a).concat(get(b), multiplyHigh),
    ...add16.concat(addPairs, add32, set(sum)),
    ...get(at).concat(number(LANES), add, tee(at), get(dimensions), isLess, repeatIf),
  ]
  const everyVector = [
    ...zeroVector.concat(set(sum), number(0), set(at)),
    ...loop(sumUp),
    ...get(scores),
    ...[0, 1, 2, 3].flatMap((index) => [...get(sum), ...lane(index), ...(index > 0 ? add : [])]),
    ...storeNumber,
    ...get(scores).concat(number(4), add, set(scores)),
    ...get(codes).concat(get(dimensions), add, tee(codes), get(codesEnd), isLess, repeatIf),
  ]
  const body = [2, 1, i32, 3, v128, ...loop(everyVector), 0x0b]
  const section = (id: number, content: number[]) => [id, ...leb(content.length), ...content]
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 5, i32, i32, i32, i32, i32, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, ...leb(pages)]),
    ...section(7, [2, 1, 'm'.charCodeAt(0), 2, 0, 1, 'f'.charCodeAt(0), 0, 0]),
    ...section(10, [1, ...leb(body.length), ...body]),
  ])
}

/** LEB128: seven bits per byte, lowest first. */
function leb(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...leb(value >>> 7)]
}
