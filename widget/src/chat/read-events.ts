// Reads server-sent events, split at any point.

export interface ServerEvent {
  name: string
  data: string
}

/** Parses only what our server sends: a name and one line of JSON, followed by an empty line. */
export function makeEventParser(onEvent: (event: ServerEvent) => void): (piece: string) => void {
  let rest = ''
  return (piece) => {
    const blocks = (rest + piece).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, name, data] = /^event: (.+)\ndata: (.+)/m.exec(block) ?? []
      if (name && data) onEvent({ name, data })
    }
  }
}

export async function readEvents(
  body: ReadableStream<Uint8Array>,
  onEvent: (event: ServerEvent) => void,
  onPiece: () => void = () => {},
) {
  const decoder = new TextDecoder()
  const parse = makeEventParser(onEvent)
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      onPiece()
      if (done) return
      parse(decoder.decode(value, { stream: true }))
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}
