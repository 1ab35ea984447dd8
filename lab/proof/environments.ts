// Environments at random, with placeholders of our own examples as secrets and with misspelt names: the former are refused
// and never repeated, the latter warned about with the right name, and other programs' variables are left alone.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../../server/src/config.ts'
import type { PartOptions, PartResult } from './part.ts'
import { makeRandom, type Random } from './requests/random.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ_'
const SECRETS = ['SECRET_KEY', 'ADMIN_TOKEN', 'METRICS_TOKEN', 'OIDC_CLIENT_SECRET', 'EMBEDDING_API_KEY']
const secretUrls = { DATABASE_URL: 'postgres://docent:?@db.test/docent', SMTP_URL: 'smtp://docent:?@mail.test:25' }
const foreign = [
  ...['PATH', 'HOME', 'LANG', 'LC_ALL', 'PWD', 'SHLVL', 'TERM', 'USER', 'HOSTNAME', 'NODE_ENV', 'NODE_OPTIONS', 'TZ'],
  ...['KUBERNETES_SERVICE_HOST', 'POSTGRES_PASSWORD', 'PGPASSWORD', 'SSL_CERT_FILE', 'DEBIAN_FRONTEND', 'MAIL', '_'],
]

export async function tryEnvironments({ seed, times }: Pick<PartOptions, 'seed' | 'times'>): Promise<PartResult> {
  const random = makeRandom(seed)
  const knownNames = settingNames()
  const placeholders = examplePlaceholders()
  const problems: string[] = []
  const counts = { environments: times, settings: knownNames.length, placeholders: 0, misspelt: 0 }
  if (placeholders.length === 0) problems.push('no placeholder is in our examples')
  for (let n = 0; n < times; n++) {
    const environment: Record<string, string> = { SECRET_KEY: 's'.repeat(40), MAIL_FROM: 'docent@example.com' }
    for (const name of foreign) if (random.chance(0.5)) environment[name] = 'x'
    const misspelt = random.chance(0.6) ? misspell(random.pick(knownNames), knownNames, random) : null
    if (misspelt) environment[misspelt.name] = 'x'
    const secret = random.chance(0.5) ? random.pick([...SECRETS, ...Object.keys(secretUrls)]) : null
    const value = secret ? placeholderFor(secret, random.pick(placeholders), random) : ''
    if (secret) environment[secret] = value
    const { error, warnings } = read(environment)
    const description = `${JSON.stringify({ secret, value, misspelt })}: ${error} ${warnings.join(' ')}`
    if (secret) counts.placeholders++
    if (misspelt) counts.misspelt++
    if (secret && !error.includes(`${secret} is still the placeholder`)) problems.push(`started with ${description}`)
    if (secret && error.includes(value)) problems.push(`repeats ${description}`)
    if (!secret && error) problems.push(`refused ${description}`)
    if (!secret && misspelt && !warnings.some((line) => nameIn(line, misspelt)))
      problems.push(`no warning of ${description}`)
    if (warnings.some((line) => foreign.some((name) => line.startsWith(`${name} `))))
      problems.push(`warned ${description}`)
  }
  return { counts, problems }
}

/** Whatever the configuration asks for. */
function settingNames(): string[] {
  const names = new Set<string>()
  readConfig(new Proxy({}, { get: (_, name) => void names.add(String(name)) }))
  return [...names]
}

function examplePlaceholders(): string[] {
  const files = ['deploy', 'docs/guides'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }).filter((one) => one.isFile()),
  )
  const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
  return [...new Set(texts.flatMap((text) => text.match(/change[-_]?me[\w-]*/gi) ?? []))]
}

/** As an owner in a hurry edits it: longer, in capitals, with something around it. */
function placeholderFor(name: string, example: string, random: Random): string {
  const editedValue = `${random.pick(['', 'docent-', '1'])}${example}${random.pick(['', '-1', '!', 'x'.repeat(20)])}`
  const value = random.chance(0.3) ? editedValue.toUpperCase() : editedValue
  if (name in secretUrls) return secretUrls[name as keyof typeof secretUrls].replace('?', value)
  return value.padEnd(40, 'x')
}

function misspell(name: string, knownNames: string[], random: Random) {
  const at = random.below(name.length)
  const [before, after] = [name.slice(0, at), name.slice(at)]
  const letter = random.pick([...LETTERS])
  const misspelt = random.pick([
    before + after.slice(1),
    before + letter + after,
    before + letter + after.slice(1),
    before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2),
  ])
  const isUnclear = misspelt.length < 6 || knownNames.includes(misspelt) || foreign.includes(misspelt)
  return isUnclear ? null : { name: misspelt, meant: name }
}

/** A name that is as near may be told instead. */
function nameIn(line: string, { name, meant }: { name: string; meant: string }): boolean {
  if (!line.startsWith(`${name} `)) return false
  const suggestion = /did you mean (\w+)\?/.exec(line)?.[1] ?? ''
  return suggestion === meant || Math.abs(suggestion.length - name.length) <= 2
}

function read(environment: Record<string, string>): { error: string; warnings: string[] } {
  try {
    return { error: '', warnings: readConfig(environment).warnings }
  } catch (error) {
    return { error: (error as Error).message, warnings: [] }
  }
}
