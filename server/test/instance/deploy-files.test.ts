// Checks the files in deploy/ as far as possible without the systems that read them: settings exist, ports and paths
// match, nothing runs as root.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { readConfig } from '../../src/config.ts'
import { MEMORY_SETTINGS } from '../harness/spawn-server.ts'

const FOLDER = fileURLToPath(new URL('../../../deploy', import.meta.url))
const read = (path: string) => readFileSync(join(FOLDER, path), 'utf8')
const yamlFiles = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.yaml'))
const documents = (path: string) =>
  parseAllDocuments(read(path), { merge: true, strict: true }).map((document) => {
    expect(document.errors, path).toEqual([])
    return document.toJS()
  })

interface ComposeService {
  environment: Record<string, string>
  read_only: boolean
  cap_drop: string[]
}

/** Read from the server's source, so that the list is never outdated. */
const known = new Set(
  [...readFileSync(new URL('../../src/config.ts', import.meta.url), 'utf8').matchAll(/'([A-Z][A-Z_]+)'/g)].flatMap(
    ([, name = '']) => [name, `${name}_FILE`],
  ),
)
const ofRuntime = [
  'NODE_COMPILE_CACHE',
  'NODE_OPTIONS',
  'MALLOC_ARENA_MAX',
  'MALLOC_MMAP_THRESHOLD_',
  'MALLOC_TRIM_THRESHOLD_',
]
const unknown = (names: string[]) => names.filter((name) => !known.has(name) && !ofRuntime.includes(name))

test.each(yamlFiles)('%s is YAML', (path) => expect(documents(path).length).toBeGreaterThan(0))

test('npm start, the container and the service limit memory alike', () => {
  const launcher = readFileSync(new URL('../../../scripts/limit-memory.mjs', import.meta.url), 'utf8')
  const set = [...launcher.matchAll(/process\.env\.(\w+) \?\?= '(.+)'/g)].map(([, name, value]) => [name, value])
  expect(Object.fromEntries(set)).toEqual(MEMORY_SETTINGS)
  for (const [name, value] of Object.entries(MEMORY_SETTINGS))
    for (const file of ['Dockerfile', 'docent.service']) expect(read(file)).toMatch(new RegExp(` ${name}=${value}\\b`))
})

test.each(['sqlite', 'postgres'])('the compose file for %s sets only known variables with valid values', (name) => {
  const [{ services }] = documents(`compose/${name}.yaml`)
  const nodes = Object.entries<ComposeService>(services).filter(([service]) => service.startsWith('docent'))
  expect(nodes).toHaveLength(name === 'sqlite' ? 1 : 2)
  for (const [, { environment, read_only, cap_drop }] of nodes) {
    expect(unknown(Object.keys(environment))).toEqual([])
    expect([read_only, cap_drop]).toEqual([true, ['ALL']])
    const filled = Object.entries(environment).map(([key, value]) => [key, withDefaults(value)])
    expect(readConfig(Object.fromEntries(filled)).baseUrl).toMatch(/^https?:/)
  }
})

test('the Kubernetes nodes set only known variables, are probed at served paths, and do not run as root', () => {
  const settings = documents('kubernetes/settings.yaml')
  const shared = settings.flatMap(({ data, stringData }) => Object.entries<string>({ ...data, ...stringData }))
  const roles = ['web', 'worker'].map((role) => {
    const [{ spec }] = documents(`kubernetes/${role}.yaml`)
    const { securityContext, containers, terminationGracePeriodSeconds } = spec.template.spec
    const [{ env, envFrom, ports, livenessProbe, readinessProbe, securityContext: limits }] = containers
    const environment = Object.fromEntries([
      ...shared,
      ...env.map((each: { name: string; value: string }) => [each.name, each.value]),
    ])
    expect(unknown(Object.keys(environment))).toEqual([])
    expect(envFrom).toHaveLength(2)
    expect(ports[0].containerPort).toBe(8080)
    expect([livenessProbe.httpGet.path, readinessProbe.httpGet.path]).toEqual(['/livez', '/readyz'])
    expect([securityContext.runAsNonRoot, limits.readOnlyRootFilesystem]).toEqual([true, true])
    expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels)
    // As they stand they are refused: everybody can read them here.
    expect(() => readConfig(environment)).toThrow('SECRET_KEY is still the placeholder')
    const own = Object.entries(environment).map(([name, value]) => [
      name,
      String(value).replaceAll('change-me', 'something'),
    ])
    const config = readConfig(Object.fromEntries(own))
    expect(config.warnings).toEqual([])
    expect(terminationGracePeriodSeconds * 1000).toBeGreaterThan(config.stopTimeoutMs + 4000)
    return config.role
  })
  expect(roles).toEqual(['web', 'worker'])
})

test('the image runs as the owner of its data, on the port that is probed', () => {
  const lines = read('Dockerfile').split('\n')
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM')))
  const one = (word: string) => last.find((line) => line.startsWith(word)) ?? ''
  const environment = one('ENV')
    .slice(4)
    .split(' ')
    .map((pair) => pair.split('='))
  expect(unknown(environment.map(([name = '']) => name))).toEqual([])
  expect(readConfig(Object.fromEntries(environment))).toMatchObject({ port: 8080, dataDir: '/data' })
  expect(one('USER')).toBe('USER 10001:10001')
  expect(one('EXPOSE')).toBe('EXPOSE 8080')
  expect(one('HEALTHCHECK')).toContain('/livez')
  for (const path of ['docent.service', 'Dockerfile'])
    expect(read(path)).toContain('/node_modules/docent/lib/cli/bin/docent.mjs')
})

test('the service sets only known variables', () => {
  const line = /^Environment=(.*)$/m.exec(read('docent.service'))?.[1] ?? ''
  expect(unknown(line.split(' ').map((pair) => pair.split('=')[0] ?? ''))).toEqual([])
})

test('proxies allow what the server allows: bodies of 100 MB and open streams', () => {
  const nginx = read('proxy/nginx.conf')
  expect(nginx).toContain('client_max_body_size 100m;')
  expect(nginx).toContain('proxy_buffering off;')
  expect(nginx.split('{').length).toBe(nginx.split('}').length)
  for (const path of ['proxy/Caddyfile', 'compose/Caddyfile']) expect(read(path)).toContain('flush_interval -1')
})

/** `${NAME:-value}` becomes the value, `${NAME:?}` a long placeholder. */
function withDefaults(text: string): string {
  return text.replace(/\$\{\w+:-([^}]*)\}/g, '$1').replace(/\$\{\w+:\?\}/g, 'x'.repeat(40))
}
