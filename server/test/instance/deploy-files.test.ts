// Checks the files in deploy/: settings exist, ports and paths match, nothing runs as root, no secret has a default.
// Where the programs that read them are installed, those check them too.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
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
  env_file: (string | { path: string; required: boolean })[]
  read_only: boolean
  cap_drop: string[]
}

/** Read from the server's source, so that the list is never outdated. */
const knownNames = new Set(
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
const unknown = (names: string[]) => names.filter((name) => !knownNames.has(name) && !ofRuntime.includes(name))

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
  for (const [, { environment, env_file, read_only, cap_drop }] of nodes) {
    expect(unknown(Object.keys(environment))).toEqual([])
    expect([read_only, cap_drop]).toEqual([true, ['ALL']])
    const settings = Object.entries(environment).map(([key, value]) => [key, withDefaults(value)])
    const config = readConfig(Object.fromEntries(settings))
    expect(config.baseUrl).toMatch(/^https?:/)
    expect(config.trustedProxies).toHaveLength(1)
    expect(environment).toHaveProperty('METRICS_TOKEN')
    expect(env_file.map((file) => (typeof file === 'string' ? file : file.path))).toEqual(['.env'])
  }
})

test('the example of a .env names what Compose needs, and no secret in it has a value', () => {
  const lines = [...read('compose/example.env').matchAll(/^(\w+)=(.*)$/gm)]
  expect(lines.map(([, name]) => name)).toEqual(expect.arrayContaining(requiredBy(read('compose/postgres.yaml'))))
  for (const [, name = '', value] of lines)
    if (/PASSWORD|KEY|TOKEN/.test(name)) expect([name, value]).toEqual([name, ''])
})

test('the Kubernetes nodes set only known variables, are probed at served paths, and do not run as root', () => {
  const settings = documents('kubernetes/settings.yaml')
  expect(settings.map(({ kind }) => kind)).toEqual(['Namespace', 'ConfigMap'])
  const sharedSettings = Object.entries<string>(settings[1].data)
  const secretNames = [...read('kubernetes/settings.yaml').matchAll(/--from-literal=(\w+)=/g)].map(
    ([, name = '']) => name,
  )
  const roles = ['web', 'worker'].map((role) => {
    const [{ spec }] = documents(`kubernetes/${role}.yaml`)
    const { securityContext, containers, terminationGracePeriodSeconds } = spec.template.spec
    const [{ env, envFrom, ports, lifecycle, livenessProbe, readinessProbe, securityContext: limits }] = containers
    const environment = Object.fromEntries([
      ...sharedSettings,
      ...env.map((each: { name: string; value: string }) => [each.name, each.value]),
    ])
    expect(unknown([...Object.keys(environment), ...secretNames])).toEqual([])
    expect(envFrom).toHaveLength(2)
    expect(ports[0].containerPort).toBe(8080)
    expect([livenessProbe.httpGet.path, readinessProbe.httpGet.path]).toEqual(['/livez', '/readyz'])
    expect([securityContext.runAsNonRoot, limits.readOnlyRootFilesystem]).toEqual([true, true])
    expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels)
    const secrets = secretNames.map((name) => [
      name,
      name === 'DATABASE_URL' ? 'postgres://u:p@db/docent' : 's'.repeat(64),
    ])
    const config = readConfig({ ...environment, ...Object.fromEntries(secrets) })
    expect(config.warnings).toEqual([])
    const pauseMs = lifecycle.preStop.sleep.seconds * 1000
    expect(terminationGracePeriodSeconds * 1000).toBeGreaterThan(config.stopTimeoutMs + pauseMs + 4000)
    expect(spec.strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } })
    return config.role
  })
  expect(roles).toEqual(['web', 'worker'])
})

test('the cluster is reached through the Gateway API, and scraped with the token as the job of the alerts', () => {
  const [gateway, route, redirect] = documents('kubernetes/gateway.yaml')
  const [, , , service] = documents('kubernetes/web.yaml')
  const listeners = gateway.spec.listeners.map(({ name }: { name: string }) => name)
  for (const { spec } of [route, redirect]) {
    expect(spec.parentRefs[0].name).toBe(gateway.metadata.name)
    expect(listeners).toContain(spec.parentRefs[0].sectionName)
  }
  const [{ backendRefs, timeouts }] = route.spec.rules
  expect(backendRefs).toEqual([{ name: service.metadata.name, port: service.spec.ports[0].port }])
  expect(timeouts.request).toBe('0s')
  const [{ spec: monitor }] = documents('kubernetes/prometheus-operator/pod-monitor.yaml')
  expect(monitor.podMetricsEndpoints[0].authorization.credentials).toEqual({ name: 'docent', key: 'METRICS_TOKEN' })
  for (const role of ['web', 'worker']) {
    const [{ spec }] = documents(`kubernetes/${role}.yaml`)
    const { labels } = spec.template.metadata
    expect(labels).toMatchObject(monitor.selector.matchLabels)
    expect(read('prometheus/alerts.yml')).toContain(`job="${labels[monitor.jobLabel]}"`)
    expect(spec.template.spec.containers[0].ports[0].name).toBe(monitor.podMetricsEndpoints[0].port)
  }
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
    expect(read(path)).toContain('/node_modules/@docent/docent/lib/cli/bin/docent.mjs')
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

describe('the programs that read the files accept them, where they are installed:', () => {
  test.skipIf(!isInstalled('nginx', '-v') || !isInstalled('openssl', 'version'))('nginx -t', () => {
    const folder = temporaryFolder()
    const certificate = { key: join(folder, 'key.pem'), chain: join(folder, 'chain.pem') }
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=docent.example']
    execFileSync('openssl', [...request, '-keyout', certificate.key, '-out', certificate.chain], { stdio: 'ignore' })
    // Ports that need no privileges, and a certificate that exists.
    const example = read('proxy/nginx.conf')
      .replace(/\/etc\/\S+privkey\.pem/, certificate.key)
      .replace(/\/etc\/\S+fullchain\.pem/, certificate.chain)
      .replaceAll(
        /listen (\[::\]:)?(80|443)/g,
        (_, _address, port) => `listen 127.0.0.1:${port === '80' ? 18080 : 18443}`,
      )
      .split('\n')
      .filter((line, at, lines) => !line.includes('listen ') || lines.indexOf(line) === at)
    writeFileSync(join(folder, 'docent.conf'), example.join('\n'))
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`)
    const http = `http { access_log off; ${paths.join(' ')} include ${folder}/docent.conf; }`
    writeFileSync(join(folder, 'nginx.conf'), `pid ${folder}/pid; error_log stderr; events {} ${http}`)
    const { stderr } = run('nginx', ['-t', '-c', join(folder, 'nginx.conf')])
    expect(stderr).toContain('test is successful')
  })

  test.skipIf(!isInstalled('caddy', 'version')).each(['proxy/Caddyfile', 'compose/Caddyfile'])(
    'caddy validate %s',
    (path) => {
      const env = { PATH: process.env.PATH, HOME: temporaryFolder(), DOCENT_HOST: 'docent.example' }
      const { stdout, stderr } = run(
        'caddy',
        ['validate', '--config', join(FOLDER, path), '--adapter', 'caddyfile'],
        env,
      )
      expect(stdout + stderr).toContain('Valid configuration')
    },
  )

  test.skipIf(!isInstalled('systemd-analyze', '--version'))('systemd-analyze verify', () => {
    const unit = join(temporaryFolder(), 'docent.service')
    // It checks that the program exists.
    writeFileSync(unit, read('docent.service').replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`))
    const { stderr } = run('systemd-analyze', ['verify', '--man=no', unit])
    // Units of the machine itself are not ours.
    expect(stderr.split('\n').filter((line) => line.includes('docent'))).toEqual([])
  })

  // Without the Gateway API and the Prometheus Operator, whose schemas it does not have.
  test.skipIf(!isInstalled('kubeconform', '-v'))('kubeconform', () => {
    const files = yamlFiles.filter((path) => path.startsWith('kubernetes')).map((path) => join(FOLDER, path))
    const { status, stdout } = run('kubeconform', ['-strict', '-ignore-missing-schemas', ...files])
    expect([status, stdout]).toEqual([0, ''])
  })
})

function isInstalled(program: string, argument: string): boolean {
  return run(program, [argument]).error === undefined
}

function run(program: string, args: string[], env: NodeJS.ProcessEnv = process.env) {
  // nginx is where only root's PATH leads.
  return spawnSync(program, args, { encoding: 'utf8', env: { ...env, PATH: `${env.PATH}:/usr/sbin` } })
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'docent-deploy-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Variables written as `${NAME:?}`, without which Compose does not start. */
function requiredBy(compose: string): string[] {
  return [...new Set([...compose.matchAll(/\$\{(\w+):\?\}/g)].map(([, name = '']) => name))]
}

/** `${NAME:-value}` becomes the value, `${NAME:?}` a long placeholder. */
function withDefaults(text: string): string {
  return text.replace(/\$\{\w+:-([^}]*)\}/g, '$1').replace(/\$\{\w+:\?\}/g, 'x'.repeat(40))
}
