// Decodes a page by its byte order mark, header or meta element, otherwise as UTF-8.
const DECLARATION_BYTES = 2048
const CHUNK_BYTES = 256 * 1024

/** At most `maxCharacters`, to save memory on long files. */
export function decodeText(bytes: Uint8Array, contentType: string, maxCharacters = Number.POSITIVE_INFINITY): string {
  const decoder = declaredDecoder(bytes, contentType)
  if (decoder && decoder.encoding !== 'utf-8') return decodeStart(decoder, bytes, maxCharacters)
  try {
    return decodeStart(new TextDecoder('utf-8', { fatal: true }), bytes, maxCharacters)
  } catch {
    // Old pages that declare nothing are nearly always windows-1252; one that claims UTF-8 is at most partly broken.
    return decodeStart(new TextDecoder(decoder ? 'utf-8' : 'windows-1252'), bytes, maxCharacters)
  }
}

/** By the declared encoding; null if it is missing or unknown. */
export function declaredDecoder(start: Uint8Array, contentType: string): TextDecoder | null {
  const label = bomLabel(start) ?? /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1] ?? declaredLabel(start)
  return label ? decoderOf(label) : null
}

function decodeStart(decoder: TextDecoder, bytes: Uint8Array, maxCharacters: number): string {
  let text = ''
  for (let at = 0; at < bytes.length && text.length < maxCharacters; at += CHUNK_BYTES)
    text += decoder.decode(bytes.subarray(at, at + CHUNK_BYTES), { stream: true })
  return text.length < maxCharacters ? text + decoder.decode() : text.slice(0, maxCharacters)
}

function bomLabel(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

function declaredLabel(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, DECLARATION_BYTES))
  return (
    /<meta[^>]+charset\s*=\s*["']?([\w.:-]+)/i.exec(start)?.[1] ??
    /<\?xml[^>]+encoding=["']([\w.:-]+)/i.exec(start)?.[1]
  )
}

function decoderOf(label: string): TextDecoder | null {
  try {
    return new TextDecoder(label)
  } catch {
    return null
  }
}
