// Reads and checks variables, and collects all mistakes.
import { readFileSync } from 'node:fs'

export type Environment = Record<string, string | undefined>

export type Reader = ReturnType<typeof createReader>

export function createReader(environment: Environment, mistakes: string[]) {
  const text = (name: string) => environment[name]?.trim() || null

  /** A secret comes from the variable itself or, with `_FILE` appended, from a file. */
  function secretText(name: string): string | null {
    const path = text(`${name}_FILE`)
    if (!path) return text(name)
    if (text(name)) mistakes.push(`${name} and ${name}_FILE are both set; set one`)
    try {
      return readFileSync(path, 'utf8').trim() || null
    } catch {
      mistakes.push(`${name}_FILE names a file that cannot be read`)
      return null
    }
  }

  function checkedUrl(name: string, value: string | null, protocols: string[]): string | null {
    if (!value) return null
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value.replace(/\/+$/, '')
    mistakes.push(`${name} must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`)
    return null
  }

  return {
    text,
    url: (name: string, protocols: string[]) => checkedUrl(name, text(name), protocols),
    secretUrl: (name: string, protocols: string[]) => checkedUrl(name, secretText(name), protocols),

    integer(name: string, otherwise: number, least: number, most: number): number {
      const value = text(name)
      if (value === null) return otherwise
      const number = Number(value)
      if (Number.isInteger(number) && number >= least && number <= most) return number
      mistakes.push(`${name} must be a whole number from ${least} to ${most}`)
      return otherwise
    },

    /** Separated by commas or spaces. */
    list<T>(name: string, parse: (text: string) => T | undefined, what: string): T[] {
      const parts =
        text(name)
          ?.split(/[\s,]+/)
          .filter(Boolean) ?? []
      const parsed = parts.flatMap((part) => parse(part) ?? [])
      if (parsed.length < parts.length) mistakes.push(`${name} must be ${what}, separated by commas`)
      return parsed
    },

    oneOf(name: string, values: string[], otherwise: string): string {
      const value = text(name) ?? otherwise
      if (values.includes(value)) return value
      mistakes.push(`${name} must be one of ${values.join(', ')}`)
      return otherwise
    },

    secret(name: string, leastLength: number): string | null {
      const value = secretText(name)
      if (value && value.length < leastLength) mistakes.push(`${name} must have at least ${leastLength} characters`)
      else if (value && !/^[\x21-\x7e]+$/.test(value))
        mistakes.push(`${name} must have only ASCII letters, digits and symbols, without spaces`)
      return value
    },
  }
}
