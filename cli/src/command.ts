// The interface of a command and of the terminal it runs in.
import type { ParseArgsOptionsConfig } from 'node:util'
import type { ProgressBar } from './progress-bar.ts'

export interface Command {
  name: string
  /** One line for the list of commands. */
  summary: string
  /** Shown below "docent <name>": arguments, description, options. */
  usage: string
  options: ParseArgsOptionsConfig
  run(input: CommandInput, terminal: Terminal): Promise<number>
}

export interface CommandInput {
  values: Record<string, string | boolean | (string | boolean)[] | undefined>
  positionals: string[]
}

export interface ListOutput {
  add(value: unknown): void
  end(): void
}

/** What a command may read, and where it writes. */
export interface Terminal {
  environment: Record<string, string | undefined>
  /** Prints a line for people; nothing with --json. */
  say(line: string): void
  /** What --json prints at the end. */
  result(value: unknown): void
  /** Prints values as they come, without keeping them: a line each, with --json as one list. */
  list(): ListOutput
  progress(): ProgressBar
  /** Aborted by Ctrl-C, so that a command that runs on can end properly. */
  interruption(): AbortSignal
  /** A secret, typed or piped in. */
  readSecret(prompt: string): Promise<string>
}

/** Exit codes. */
export const OK = 0
export const FAILED = 1
export const USAGE = 2

/** The command was called with invalid arguments. */
export class UsageError extends Error {}

export function text({ values }: CommandInput, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

export function requireText(input: CommandInput, name: string): string {
  const value = text(input, name)
  if (!value) throw new UsageError(`--${name} is required.`)
  return value
}

/** The id or name after the action of a command: `docent keys revoke <key id>`. */
export function requireWord(input: CommandInput, what: string): string {
  const word = input.positionals.slice(1).join(' ').trim()
  if (!word) throw new UsageError(`This needs ${what}.`)
  return word
}

export function wholeNumber(input: CommandInput, name: string, least: number): number | undefined {
  const value = text(input, name)
  if (value === undefined) return undefined
  if (!/^\d{1,9}$/.test(value) || Number(value) < least)
    throw new UsageError(`--${name} must be a whole number of at least ${least}.`)
  return Number(value)
}
