// Pictures of a bot and its team.
import { type AttachmentType, AVATAR_PIXELS, Fault } from '@docent/contract'
import { fileType } from '../conversations/attachments.ts'
import { randomId } from '../ids.ts'
import type { AvatarsTable } from '../storage/avatars.ts'
import type { BotRecord } from '../storage/bots.ts'

const TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const

interface AvatarDeps {
  avatars: Pick<AvatarsTable, 'insert'>
  clock: () => number
}

/** Stores a picture that widget settings can refer to. Returns its id. */
export async function uploadAvatar({ avatars, clock }: AvatarDeps, bot: BotRecord, file: Buffer): Promise<string> {
  const { type, content } = avatarOf(file)
  const { avatar, team_avatar: team } = bot.widget.look
  const id = randomId('avt')
  const usedIds = [avatar, team].filter((each) => each !== null)
  await avatars.insert({ botId: bot.id, id, type, createdAt: clock() }, content, usedIds)
  return id
}

interface Avatar {
  type: (typeof TYPES)[number]
  content: Buffer
}

/** Everybody can read it, so nothing is kept but the picture. */
export function avatarOf(file: Buffer): Avatar {
  const detectedType = fileType(file)
  const type = TYPES.find((each) => each === detectedType)
  if (!type) throw invalid('Use a PNG, JPEG or WebP picture.')
  const size = pictureSize(file, type)
  const content = stripMetadata(file, type)
  if (!content || !size || size.width < 1 || size.height < 1) throw invalid('The picture cannot be read.')
  if (Math.max(size.width, size.height) > AVATAR_PIXELS)
    throw invalid(`The picture may be at most ${AVATAR_PIXELS} pixels wide and high.`)
  return { type, content }
}

function invalid(message: string) {
  return new Fault('validation_failed', { details: [{ path: 'file', message }] })
}

// Reads an image's size from its header, without decoding it.

interface PictureSize {
  width: number
  height: number
}

/** Null for unsupported or broken images. */
function pictureSize(content: Buffer, type: AttachmentType): PictureSize | null {
  try {
    if (type === 'image/png') return { width: content.readUInt32BE(16), height: content.readUInt32BE(20) }
    if (type === 'image/jpeg') return jpegSize(content)
    return type === 'image/webp' ? webpSize(content) : null
  } catch {
    // The file is shorter than its header says.
    return null
  }
}

/** From the first frame header. */
function jpegSize(content: Buffer): PictureSize | null {
  for (let at = 2; content.readUInt8(at) === 0xff; at += 2 + content.readUInt16BE(at + 2)) {
    const marker = content.readUInt8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { height: content.readUInt16BE(at + 5), width: content.readUInt16BE(at + 7) }
  }
  return null
}

function webpSize(content: Buffer): PictureSize | null {
  const kind = content.toString('latin1', 12, 16)
  if (kind === 'VP8X') return { width: content.readUIntLE(24, 3) + 1, height: content.readUIntLE(27, 3) + 1 }
  if (kind === 'VP8 ') return { width: content.readUInt16LE(26) & 0x3fff, height: content.readUInt16LE(28) & 0x3fff }
  if (kind !== 'VP8L') return null
  const bits = content.readUInt32LE(21)
  return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
}

// Removes what a picture tells besides itself: where and when it was taken, with which device, comments, previews.
// Only parts that are needed to show it are copied, so that formats of metadata nobody thought of are left out too.

/** Null for unsupported types and for pictures that are not whole. */
export function stripMetadata(content: Buffer, type: AttachmentType): Buffer | null {
  try {
    if (type === 'image/jpeg') return stripJpeg(content)
    if (type === 'image/png') return stripPng(content)
    return type === 'image/webp' ? stripWebp(content) : null
  } catch (error) {
    // A part claims to go on beyond the end of the file.
    if (error instanceof RangeError) return null
    throw error
  }
}

const START_OF_SCAN = 0xda
const END_OF_IMAGE = 0xd9
const EXIF = 'Exif\0\0'

function stripJpeg(content: Buffer): Buffer | null {
  const parts = [content.subarray(0, 2)]
  let hasScan = false
  for (let at = 2; content.readUInt8(at) === 0xff; ) {
    const marker = content.readUInt8(at + 1)
    if (marker === END_OF_IMAGE) {
      // Phones append whole videos after the end.
      return hasScan ? Buffer.concat([...parts, content.subarray(at, at + 2)]) : null
    }
    if (marker === 0xff) {
      at++
      continue
    }
    const length = content.readUInt16BE(at + 2)
    if (length < 2) return null
    const body = slice(content, at + 4, length - 2)
    at += 2 + length
    if (marker === START_OF_SCAN) {
      const end = endOfScan(content, at)
      parts.push(segment(marker, body), content.subarray(at, end))
      at = end
      hasScan = true
    } else parts.push(...keptSegments(marker, body))
  }
  return null
}

/** Tables and frames as they are; of application data only what changes how the picture looks. */
function keptSegments(marker: number, body: Buffer): Buffer[] {
  const begins = (text: string) => body.toString('latin1', 0, text.length) === text
  const isPicture = (marker >= 0xc0 && marker <= 0xcf) || (marker >= 0xdb && marker <= 0xdf)
  const isColour = (marker === 0xe2 && begins('ICC_PROFILE\0')) || (marker === 0xee && begins('Adobe'))
  if (isPicture || isColour) return [segment(marker, body)]
  // Without its preview, which may show what was cut off.
  if (marker === 0xe0 && begins('JFIF\0') && body.length >= 14)
    return [segment(marker, Buffer.concat([body.subarray(0, 12), Buffer.alloc(2)]))]
  if (marker !== 0xe1 || !begins(EXIF)) return []
  const orientation = readOrientation(body.subarray(EXIF.length))
  return orientation > 1 ? [segment(marker, exifOf(orientation))] : []
}

function segment(marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

/** Where the next marker is that is neither an escaped byte nor a restart. */
function endOfScan(content: Buffer, from: number): number {
  for (let at = content.indexOf(0xff, from); at !== -1; at = content.indexOf(0xff, at + 1)) {
    const next = content.readUInt8(at + 1)
    const isData = next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7)
    if (!isData) return at
  }
  throw new RangeError('The scan does not end')
}

const ORIENTATION = 0x0112
const SHORT = 3

/** 1 (as it is) where nothing valid is said. */
function readOrientation(tiff: Buffer): number {
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  try {
    const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
    const count = short(directory)
    for (let entry = directory + 2; entry < directory + 2 + 12 * count; entry += 12) {
      if (short(entry) !== ORIENTATION || short(entry + 2) !== SHORT) continue
      const value = short(entry + 8)
      return value <= 8 ? value : 1
    }
  } catch {
    // The picture can be shown without.
  }
  return 1
}

function exifOf(orientation: number): Buffer {
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, SHORT, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
  return Buffer.concat([Buffer.from(EXIF, 'latin1'), Buffer.from(tiff)])
}

// Transparency, colours, proportions and animation; the picture itself is in chunks with a capital first letter.
const PNG_CHUNKS = new Set('tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD hIST pHYs acTL fcTL fdAT'.split(' '))

function stripPng(content: Buffer): Buffer | null {
  const parts = [content.subarray(0, 8)]
  let hasData = false
  for (let at = 8; ; ) {
    const name = slice(content, at + 4, 4).toString('latin1')
    const chunk = slice(content, at, 12 + content.readUInt32BE(at))
    if (/^[A-Z]/.test(name) || PNG_CHUNKS.has(name)) parts.push(chunk)
    if (name === 'IDAT') hasData = true
    if (name === 'IEND') return hasData ? Buffer.concat(parts) : null
    at += chunk.length
  }
}

const WEBP_PICTURES = new Set(['VP8 ', 'VP8L', 'ANMF'])
const WEBP_CHUNKS = new Set([...WEBP_PICTURES, 'VP8X', 'ALPH', 'ANIM', 'ICCP'])
const EXIF_AND_XMP_FLAGS = 0b1100

function stripWebp(content: Buffer): Buffer | null {
  const riff = slice(content, 8, content.readUInt32LE(4))
  const parts: Buffer[] = []
  let hasPicture = false
  for (let at = 4; at < riff.length; ) {
    const name = slice(riff, at, 4).toString('latin1')
    const length = riff.readUInt32LE(at + 4)
    const chunk = slice(riff, at, 8 + length)
    if (WEBP_CHUNKS.has(name)) {
      const copy = Buffer.concat([chunk, Buffer.alloc(length % 2)])
      if (name === 'VP8X') copy.writeUInt8(copy.readUInt8(8) & ~EXIF_AND_XMP_FLAGS, 8)
      parts.push(copy)
    }
    if (WEBP_PICTURES.has(name)) hasPicture = true
    at += 8 + length + (length % 2)
  }
  if (!hasPicture) return null
  const body = Buffer.concat([Buffer.from('WEBP'), ...parts])
  const head = Buffer.from('RIFF\0\0\0\0', 'latin1')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}

/** All of it, or a RangeError. */
function slice(content: Buffer, from: number, length: number): Buffer {
  if (from + length > content.length) throw new RangeError('The picture is not whole')
  return content.subarray(from, from + length)
}
