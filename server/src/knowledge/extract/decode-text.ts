// Bytes of a page into text, by what the page says of itself: byte order mark, header, meta element, else UTF-8.
const DECLARATION_BYTES = 2048

export function decodeText(bytes: Uint8Array, contentType: string): string {
  const label = bomLabel(bytes) ?? /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1] ?? declaredLabel(bytes)
  const decoder = label ? decoderOf(label) : null
  if (decoder && decoder.encoding !== 'utf-8') return decoder.decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Old pages without a word about it are nearly always this one; one that claims UTF-8 has broken places at most.
    return new TextDecoder(decoder ? 'utf-8' : 'windows-1252').decode(bytes)
  }
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
