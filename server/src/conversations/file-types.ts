// Detects a file's type from its content; its name and declared type are not trusted.
import type { AttachmentType } from '@docent/contract'

const extensions: Record<AttachmentType, readonly [string, ...string[]]> = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'application/pdf': ['pdf'],
  'text/plain': ['txt', 'text', 'md', 'csv', 'log'],
}

/** Null for types that may not be sent. */
export function fileType(content: Buffer): AttachmentType | null {
  const begins = (text: string, at = 0) => content.toString('latin1', at, at + text.length) === text
  if (begins('\x89PNG\r\n\x1a\n') && begins('IHDR', 12)) return 'image/png'
  if (begins('\xff\xd8\xff')) return 'image/jpeg'
  if (begins('GIF87a') || begins('GIF89a')) return 'image/gif'
  if (begins('RIFF') && begins('WEBP', 8)) return 'image/webp'
  if (begins('%PDF-')) return 'application/pdf'
  return isText(content) ? 'text/plain' : null
}

export const isImage = (type: AttachmentType) => type.startsWith('image/')

/** With the extension for its content, so that text is never saved as a program. */
export function nameWithExtension(name: string, type: AttachmentType): string {
  const clean = name.replace(/[\p{Cc}\p{Cf}]/gu, '') || 'file'
  const [usual] = extensions[type]
  const ending = /\.([^.]+)$/.exec(clean)?.[1]?.toLowerCase() ?? ''
  return extensions[type].includes(ending) ? clean : `${clean}.${usual}`
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
const TEXT_CONTROLS = new Set([9, 10, 12, 13, 27])

function isText(content: Buffer): boolean {
  if (content.length === 0 || content.some((byte) => (byte < 32 && !TEXT_CONTROLS.has(byte)) || byte === 127))
    return false
  try {
    return utf8.decode(content) !== ''
  } catch {
    return false
  }
}

// Reads an image's size from its header, without decoding it.

interface PictureSize {
  width: number
  height: number
}

/** Null for unsupported or broken images. */
export function pictureSize(content: Buffer, type: AttachmentType): PictureSize | null {
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
