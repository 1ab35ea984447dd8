// Server-sent events, whatever pieces they arrive in.

export interface ServerEvent {
  name: string
  data: string
}

/** Takes the text in pieces and tells each event when its empty line has come. */
export function eventParser(onEvent: (event: ServerEvent) => void): (piece: string) => void {
  let rest = ''
  let name = ''
  let data: string[] = []

  function takeLine(line: string) {
    if (line === '') {
      if (data.length > 0) onEvent({ name: name || 'message', data: data.join('\n') })
      name = ''
      data = []
      return
    }
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') data.push(value)
    if (field === 'event') name = value
  }

  return (piece) => {
    // A carriage return at the end may be the first half of a line break.
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) takeLine(line)
  }
}

export async function readEvents(
  body: ReadableStream<Uint8Array>,
  onEvent: (event: ServerEvent) => void,
  onPiece: () => void = () => {},
) {
  const decoder = new TextDecoder()
  const take = eventParser(onEvent)
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      onPiece()
      if (done) return
      take(decoder.decode(value, { stream: true }))
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}
