// Runs a command in this process: starting one for each would take longer than most commands.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { run } from '../../src/run.ts'
import { makeTerminal } from '../../src/terminal.ts'

export interface Outcome {
  code: number
  output: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read results of every shape
  json: any
}

export async function docent(
  args: string[],
  environment: Record<string, string> = {},
  stdinText = '',
): Promise<Outcome> {
  let output = ''
  const sink = () =>
    new Writable({
      write(chunk, _encoding, done) {
        output += chunk
        done()
      },
    })
  const out = sink()
  const err = sink() as NodeJS.WriteStream
  const input = new PassThrough().end(stdinText) as unknown as NodeJS.ReadStream
  const code = await run(args, { out, err }, (isJson) => makeTerminal(environment, isJson, { out, err, input }))
  return { code, output, json: output.trimStart().startsWith('{') ? JSON.parse(output) : undefined }
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'docent-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
