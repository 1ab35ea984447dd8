// Finds the command, parses its options, runs it, and turns the outcome into an exit code.
import { readFileSync } from 'node:fs'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { DocentConnectionError, DocentError } from '@docent/sdk'
import { type Command, type CommandInput, FAILED, OK, type Terminal, USAGE, UsageError } from './command.ts'
import { commands } from './commands.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
const COMMON: ParseArgsOptionsConfig = { help: { type: 'boolean', short: 'h' }, json: { type: 'boolean' } }

export interface Streams {
  out: NodeJS.WritableStream
  err: NodeJS.WritableStream
}

export async function run(
  words: string[],
  { out, err }: Streams,
  openTerminal: (isJson: boolean) => Terminal,
): Promise<number> {
  const [name, ...rest] = words
  if (name === '--version' || name === '-v') {
    out.write(`${version}\n`)
    return OK
  }
  if (name === undefined || name === 'help' || name.startsWith('-')) {
    const isAsked = name === 'help' || name === '--help' || name === '-h'
    const about = isAsked ? await commands[rest[0] ?? '']?.() : undefined
    ;(isAsked ? out : err).write(about ? usageOf(about) : await overview())
    return isAsked ? OK : USAGE
  }
  const isJson = rest.includes('--json')
  try {
    const command = await commandOf(name)
    const input = parse(command, rest)
    if (input.values.help) {
      out.write(usageOf(command))
      return OK
    }
    return await command.run(input, openTerminal(isJson))
  } catch (error) {
    const message = explain(error)
    const details = error instanceof DocentError && error.details.length > 0 ? { details: error.details } : {}
    if (isJson) out.write(`${JSON.stringify({ error: { code: codeOf(error), message, ...details } }, null, 2)}\n`)
    else err.write(`${message}\n`)
    return error instanceof UsageError ? USAGE : FAILED
  }
}

async function commandOf(name: string): Promise<Command> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!load) throw new UsageError(`Unknown command "${name}".\n\n${await overview()}`)
  return load()
}

function parse(command: Command, args: string[]): CommandInput {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { ...COMMON, ...command.options },
    })
    return { values: values as CommandInput['values'], positionals }
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${usageOf(command)}`)
  }
}

async function overview(): Promise<string> {
  const all = await Promise.all(Object.values(commands).map((load) => load()))
  const width = Math.max(...all.map(({ name }) => name.length))
  // Handled in bin/docent.mjs, because it chooses the Node.
  const serve = { name: 'serve', summary: 'start the server' }
  const lines = [serve, ...all].map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return `docent <command>\n\n${lines.join('\n')}\n\nRun docent <command> --help for details. --json prints the result as JSON; docent --version the version.\nExit codes: 0 success, 1 failure, 2 invalid usage.\n`
}

function usageOf({ name, usage }: Command): string {
  return `docent ${name} ${usage.trim()}\n  --json               the result as JSON\n`
}

function codeOf(error: unknown): string {
  if (error instanceof DocentError) return error.code
  if (error instanceof DocentConnectionError) return 'unreachable'
  return error instanceof UsageError ? 'usage' : 'failed'
}

function explain(error: unknown): string {
  if (!(error instanceof DocentError)) return (error as Error).message
  const details = error.details.map(({ path, message }) => `\n  ${path || 'body'}: ${message}`)
  return `${error.message} (${error.code})${details.join('')}`
}
