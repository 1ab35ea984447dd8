import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stripMetadata } from '../../src/bots/avatars.ts'
import { chunk, jpeg, png, riffChunk, SECRET, segment, tiff, webp } from '../harness/samples/pictures.ts'

describe('metadata of a JPEG', () => {
  const strip = (content: Buffer) => stripMetadata(content, 'image/jpeg')

  test('is removed: only the picture and its colours are kept', () => {
    const colours = [segment(0xe2, `ICC_PROFILE\0${'c'.repeat(20)}`), segment(0xee, 'Adobe\0d\0\0\0\0\x01')]
    const metadata = [
      segment(0xe1, `Exif\0\0${tiff(1)}${SECRET}`),
      segment(0xe1, `http://ns.adobe.com/xap/1.0/\0${SECRET}`),
      segment(0xe2, `MPF\0${SECRET}`),
      segment(0xe5, SECRET),
      segment(0xed, `Photoshop 3.0\0${SECRET}`),
      segment(0xfe, SECRET),
    ]
    expect(strip(jpeg([...metadata, ...colours], { after: SECRET }))).toEqual(jpeg(colours))
    // Also between the scans of a progressive JPEG.
    expect(strip(jpeg([], { between: metadata }))).toEqual(jpeg([]))
    expect(strip(jpeg([]))).toEqual(jpeg([]))
  })

  test('includes the preview in the first segment, which is removed', () => {
    const jfif = (preview: string) => segment(0xe0, `JFIF\0\x01\x01\0\0\x01\0\x01${preview}`)
    expect(strip(jpeg([jfif(`\x01\x01${SECRET}`), segment(0xe0, `JFXX\0\x10${SECRET}`)]))).toEqual(jpeg([jfif('\0\0')]))
  })

  test('is removed except for the orientation, in either byte order', () => {
    for (const order of ['MM', 'II'] as const) {
      const picture = strip(jpeg([segment(0xe1, `Exif\0\0${tiff(6, order)}${SECRET}`)]))
      expect(picture).toEqual(jpeg([segment(0xe1, `Exif\0\0${tiff(6)}`)]))
    }
    for (const metadata of [tiff(0), tiff(9), tiff(6).slice(0, 15), 'MM\0*\xff\xff\xff\xff', ''])
      expect(strip(jpeg([segment(0xe1, `Exif\0\0${metadata}`)]))).toEqual(jpeg([]))
  })

  test('cannot be read without a scan, with a broken segment or with other bytes between segments', () => {
    const wholePicture = jpeg([])
    expect(strip(Buffer.from('\xff\xd8\xff\xd9', 'latin1'))).toBeNull()
    expect(strip(Buffer.from('\xff\xd8\xff\xe1\0\x01\xff\xd9', 'latin1'))).toBeNull()
    expect(strip(Buffer.concat([wholePicture.subarray(0, 2), Buffer.from('x'), wholePicture.subarray(2)]))).toBeNull()
  })
})

describe('metadata of a PNG', () => {
  const strip = (content: Buffer) => stripMetadata(content, 'image/png')

  test('is removed: only the picture, its colours and its animation are kept', () => {
    const displayChunks = [chunk('gAMA', '\0\0\xb1\x8f'), chunk('pHYs', '\0\0\0\x01\0\0\0\x01\0')]
    const metadata = ['eXIf', 'tEXt', 'zTXt', 'iTXt', 'tIME', 'caBX'].map((name) => chunk(name, SECRET))
    expect(strip(png([...metadata, ...displayChunks], { after: SECRET }))).toEqual(png(displayChunks))
    expect(strip(png([]))).toEqual(png([]))
  })

  test('cannot be read without a picture or with a chunk beyond the end', () => {
    const wholePicture = png([])
    const empty = Buffer.concat([wholePicture.subarray(0, 33), wholePicture.subarray(-12)])
    expect(strip(empty)).toBeNull()
    const long = Buffer.from(wholePicture)
    long.writeUInt32BE(0xffffffff, 33)
    expect(strip(long)).toBeNull()
  })
})

describe('metadata of a WebP', () => {
  const strip = (content: Buffer) => stripMetadata(content, 'image/webp')
  const picture = riffChunk('VP8L', '/\x0f\0\0\0\0')
  const extended = (flags: number) => riffChunk('VP8X', `${String.fromCharCode(flags)}\0\0\0\x0f\0\0\x0f\0\0`)

  test('is removed: only the picture is kept, and the header announces nothing else', () => {
    const colours = riffChunk('ICCP', 'odd')
    const metadata = [riffChunk('EXIF', SECRET), riffChunk('XMP ', SECRET), riffChunk('NOTE', SECRET)]
    const content = webp([extended(0b111100), colours, picture, ...metadata])
    expect(strip(Buffer.concat([content, Buffer.from(SECRET)]))).toEqual(webp([extended(0b110000), colours, picture]))
    expect(strip(webp([picture]))).toEqual(webp([picture]))
  })

  test('cannot be read without a picture, with a short header or with a chunk beyond the end', () => {
    expect(strip(webp([extended(0)]))).toBeNull()
    expect(strip(webp([riffChunk('VP8X', '')]))).toBeNull()
    const long = webp([picture])
    long.writeUInt32LE(0xffffffff, 16)
    expect(strip(long)).toBeNull()
  })
})

const pictures = [
  ['image/jpeg', jpeg([segment(0xe1, `Exif\0\0${tiff(6)}${SECRET}`)])],
  ['image/png', png([chunk('tEXt', SECRET)])],
  ['image/webp', webp([riffChunk('VP8L', '/\x0f\0\0\0\0'), riffChunk('EXIF', SECRET)])],
] as const

test.each(pictures)('%s that is cut off anywhere is unreadable', (type, wholePicture) => {
  for (let length = 12; length < wholePicture.length; length++)
    expect(stripMetadata(wholePicture.subarray(0, length), type), `cut at ${length}`).toBeNull()
})

test.each(pictures)('%s with any bytes changed is either a readable picture or refused', (type, wholePicture) => {
  const change = fc.record({
    at: fc.nat(wholePicture.length - 1),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }),
  })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 4 }), (changes) => {
      const content = Buffer.from(wholePicture)
      for (const { at, bytes } of changes) content.set(bytes.subarray(0, content.length - at), at)
      const strippedPicture = stripMetadata(content, type)
      // The result must be readable again.
      if (strippedPicture) expect(stripMetadata(strippedPicture, type)).toEqual(strippedPicture)
    }),
  )
})
