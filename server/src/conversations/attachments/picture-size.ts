// Reads an image's size from its header, without decoding it.
import type { AttachmentType } from '@docent/contract'

export interface PictureSize {
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
