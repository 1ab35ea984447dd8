// Pictures put together from their parts, with and without what they tell of who took them.
import { crc32 } from 'node:zlib'

/** Must not be found in what is stored. */
export const SECRET = 'GPS 52.5163 N 13.3777 E'

const bytes = (text: string) => Buffer.from(text, 'latin1')

export function segment(marker: number, body: string): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, bytes(body)])
}

/** Of 16 × 16, with two scans, in which there is an escaped byte and a restart. */
export function jpeg(segments: Buffer[], { between = [] as Buffer[], after = '' } = {}): Buffer {
  const frame = segment(0xc2, '\x08\0\x10\0\x10\x01\x01\x11\0')
  const scan = Buffer.concat([segment(0xda, '\x01\x01\0\0?\0'), bytes('ab\xff\0cd\xff\xd0ef')])
  return Buffer.concat([bytes('\xff\xd8'), ...segments, frame, scan, ...between, scan, bytes(`\xff\xd9${after}`)])
}

/** One entry of EXIF: the orientation. */
export function tiff(orientation: number, order: 'MM' | 'II' = 'MM'): string {
  const big = [
    '\0*',
    '\0\0\0\x08',
    '\0\x01',
    '\x01\x12',
    '\0\x03',
    '\0\0\0\x01',
    `\0${String.fromCharCode(orientation)}`,
  ]
  const numbers = order === 'MM' ? big : big.map((each) => [...each].reverse().join(''))
  return `${order}${numbers.join('')}\0\0\0\0\0\0`
}

export function chunk(name: string, body: string): Buffer {
  const nameAndBody = bytes(name + body)
  const lengthAndChecksum = Buffer.alloc(8)
  lengthAndChecksum.writeUInt32BE(body.length)
  lengthAndChecksum.writeUInt32BE(crc32(nameAndBody), 4)
  return Buffer.concat([lengthAndChecksum.subarray(0, 4), nameAndBody, lengthAndChecksum.subarray(4)])
}

/** Of one pixel. */
export function png(chunks: Buffer[], { after = '' } = {}): Buffer {
  const head = chunk('IHDR', '\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0')
  const data = chunk('IDAT', 'x\xdacd\xf8\xcfP\x0f\0\x03\x86\x01\x80')
  return Buffer.concat([bytes('\x89PNG\r\n\x1a\n'), head, ...chunks, data, chunk('IEND', ''), bytes(after)])
}

export function riffChunk(name: string, body: string): Buffer {
  const head = bytes(`${name}\0\0\0\0`)
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, bytes(body), Buffer.alloc(body.length % 2)])
}

export function webp(chunks: Buffer[]): Buffer {
  return riffChunk('RIFF', `WEBP${Buffer.concat(chunks).toString('latin1')}`)
}
