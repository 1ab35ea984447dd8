// The real terminal: lines and errors for people, or one JSON document for programs.
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { ListOutput, Terminal } from './command.ts'
import { type ProgressBar, progressBar } from './progress-bar.ts'

const silent: ProgressBar = { show() {}, end() {} }

interface Streams {
  out: NodeJS.WritableStream
  err: NodeJS.WriteStream
  input: NodeJS.ReadStream
}

export function makeTerminal(environment: Terminal['environment'], isJson: boolean, streams: Streams): Terminal {
  const { out, err, input } = streams
  const say = (line: string) => {
    // Visitors' texts are shown: they must not control the terminal.
    if (!isJson) out.write(`${line.replaceAll(/(?![\t\n])\p{Cc}/gu, '')}\n`)
  }
  return {
    environment,
    say,
    result: (value) => {
      if (isJson) out.write(`${JSON.stringify(value, null, 2)}\n`)
    },
    list: () => (isJson ? jsonList(out) : { add: (value) => say(JSON.stringify(value)), end() {} }),
    progress: () => (isJson || !err.isTTY ? silent : progressBar(err)),
    interruption: () => {
      const controller = new AbortController()
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort())
      return controller.signal
    },
    readSecret: (prompt) => (input.isTTY ? readTyped(prompt, input, err) : readPiped(input)),
  }
}

function jsonList(out: NodeJS.WritableStream): ListOutput {
  let isEmpty = true
  return {
    add(value) {
      out.write(`${isEmpty ? '[\n' : ',\n'}${JSON.stringify(value)}`)
      isEmpty = false
    },
    end: () => void out.write(isEmpty ? '[]\n' : '\n]\n'),
  }
}

/** Input is not echoed. */
async function readTyped(prompt: string, input: NodeJS.ReadStream, err: NodeJS.WriteStream): Promise<string> {
  err.write(prompt)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: nowhere, terminal: true })
  try {
    return await lines.question('')
  } finally {
    lines.close()
    err.write('\n')
  }
}

async function readPiped(input: NodeJS.ReadStream): Promise<string> {
  let text = ''
  for await (const chunk of input) text += chunk
  return text.replace(/\r?\n$/, '')
}
