// Reads and checks variables, and collects all mistakes.
import { readFileSync } from 'node:fs'
import { DAY_MS } from '../days.ts'
import { typosBetween } from '../typos.ts'

export type Environment = Record<string, string | undefined>

export type EnvReader = ReturnType<typeof makeEnvReader>

// In our own examples, which are public.
const PLACEHOLDER = /change-?me/i
// Names that begin like ours and are nobody else's.
const OWN_PREFIX = /^(?:BACKUP|CRAWL|EMBEDDING|OIDC|PARSE|UNREAD|WIDGET)_/
const MAX_TYPOS = 2
// Shorter names resemble each other by chance.
const SHORTEST_NAME = 6
const UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: DAY_MS }

export function makeEnvReader(environment: Environment, mistakes: string[]) {
  const knownNames = new Set<string>()
  const text = (name: string) => {
    knownNames.add(name)
    return environment[name]?.trim() || null
  }

  function secretText(name: string): string | null {
    const value = readSecret(name)
    if (value && PLACEHOLDER.test(value))
      mistakes.push(`${name} is still the placeholder of an example: make one with "openssl rand -hex 32"`)
    return value
  }

  /** A secret comes from the variable itself or, with `_FILE` appended, from a file. */
  function readSecret(name: string): string | null {
    const path = text(`${name}_FILE`)
    const value = text(name)
    if (!path) return value
    if (value) mistakes.push(`${name} and ${name}_FILE are both set; set one`)
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
    /** Variables that are probably misspelt settings, once all have been read. */
    unknownNames(): string[] {
      return Object.keys(environment).flatMap((name) => {
        if (knownNames.has(name) || !environment[name]?.trim()) return []
        const [nearest = '', typos = Number.POSITIVE_INFINITY] = nearestOf(name, knownNames)
        const isOurs = OWN_PREFIX.test(name) || (name.length >= SHORTEST_NAME && typos <= MAX_TYPOS)
        return isOurs ? [`${name} is no setting of Docent; did you mean ${nearest}?`] : []
      })
    },
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

    /** Minutes, hours or days: `30m`, `6h`, `1d`. */
    duration(name: string, leastMs: number, mostMs: number, what: string): number | null {
      const value = text(name)
      if (value === null) return null
      const [, number, unit] = /^(\d{1,6})([mhd])$/.exec(value) ?? []
      const ms = Number(number) * (UNIT_MS[unit ?? ''] ?? Number.NaN)
      if (ms >= leastMs && ms <= mostMs) return ms
      mistakes.push(`${name} must be ${what}`)
      return null
    },

    /** Separated by commas or spaces. */
    list<T>(name: string, parse: (text: string) => T | undefined, what: string): T[] {
      const parts =
        text(name)
          ?.split(/[\s,]+/)
          .filter(Boolean) ?? []
      const values = parts.flatMap((part) => parse(part) ?? [])
      if (values.length < parts.length) mistakes.push(`${name} must be ${what}, separated by commas`)
      return values
    },

    oneOf(name: string, values: string[], otherwise: string): string {
      const value = text(name) ?? otherwise
      if (values.includes(value)) return value
      mistakes.push(`${name} must be one of ${values.join(', ')}`)
      return otherwise
    },

    secret(name: string, minLength: number): string | null {
      const value = secretText(name)
      if (value && value.length < minLength) mistakes.push(`${name} must have at least ${minLength} characters`)
      else if (value && !/^[\x21-\x7e]+$/.test(value))
        mistakes.push(`${name} must have only ASCII letters, digits and symbols, without spaces`)
      return value
    },
  }
}

function nearestOf(name: string, knownNames: ReadonlySet<string>): [nearest: string, typos: number] {
  let nearest: [string, number] = ['', Number.POSITIVE_INFINITY]
  for (const one of knownNames) {
    const typos = typosBetween(name, one)
    if (typos < nearest[1]) nearest = [one, typos]
  }
  return nearest
}
