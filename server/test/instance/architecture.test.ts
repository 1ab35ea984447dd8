// Imports between modules go one way. Reads every source file and reports each import that is not allowed.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

/** Which modules each module may import. "type x": types only. Modules that are not listed may not exist. */
const arrows: Record<string, string[]> = {
  // the server, from the outside in
  main: ['app', 'config', 'contract', 'private-file', 'telemetry'],
  context: ['type storage', 'type config', 'type outbound', 'type sealed-text', 'type mail', 'type telemetry'],
  app: [
    'http',
    'pages',
    'bots',
    'keys',
    'workspaces',
    'actions',
    'conversations',
    'insights',
    'privacy',
    'answers',
    'webhooks',
    'sources',
    'search',
    'catalogue',
    'access',
    'maintenance',
    'demo',
    'docs',
    'storage',
    'language',
    'inference',
    'contract',
    'outbound',
    'telemetry',
    'version',
    'ids',
    'sealed-text',
    'private-file',
    'mail',
    'type config',
    'caching',
    'type context',
    'lifecycle',
  ],
  http: [
    'actions',
    'bots',
    'keys',
    'workspaces',
    'conversations',
    'insights',
    'privacy',
    'answers',
    'language',
    'sources',
    'search',
    'catalogue',
    'webhooks',
    'access',
    'storage',
    'contract',
    'type config',
    'ids',
    'days',
    'type outbound',
    'version',
    'type telemetry',
    'local-time',
    'typos',
    'type maintenance',
    'timestamps',
  ],
  maintenance: [
    'access',
    'webhooks',
    'storage',
    'contract',
    'ids',
    'type config',
    'type context',
    'lifecycle',
    'sealed-text',
    'private-file',
    'version',
    'timestamps',
  ],
  pages: ['demo', 'docs', 'sources', 'contract'],
  docs: ['sources', 'language', 'storage', 'contract'],
  demo: ['access', 'type sources', 'type catalogue', 'type outbound', 'storage', 'contract', 'ids', 'private-file'],
  actions: [
    'answers',
    'demo',
    'language',
    'webhooks',
    'access',
    'outbound',
    'storage',
    'contract',
    'ids',
    'days',
    'version',
    'type sealed-text',
    'caching',
  ],
  bots: ['conversations', 'answers', 'access', 'language', 'storage', 'contract', 'ids', 'local-time', 'type outbound'],
  keys: ['webhooks', 'access', 'storage', 'contract', 'ids', 'days', 'type outbound'],
  workspaces: ['answers', 'language', 'access', 'storage', 'contract', 'ids'],
  conversations: [
    'answers',
    'language',
    'access',
    'storage',
    'contract',
    'ids',
    'type telemetry',
    'type mail',
    'days',
    'local-time',
    'type actions',
    'type catalogue',
    'type webhooks',
    'caching',
    'timestamps',
  ],
  insights: [
    'answers',
    'language',
    'storage',
    'contract',
    'days',
    'local-time',
    'caching',
    'type catalogue',
    'timestamps',
  ],
  privacy: ['storage', 'contract', 'days'],
  webhooks: [
    'outbound',
    'type telemetry',
    'access',
    'caching',
    'storage',
    'contract',
    'ids',
    'version',
    'type sealed-text',
    'days',
    'retry-after',
    'local-time',
    'type mail',
    'timestamps',
  ],
  // What answers are made of. Search and catalogue implement interfaces declared by answers.
  sources: [
    'outbound',
    'language',
    'storage',
    'contract',
    'ids',
    'days',
    'retry-after',
    'caching',
    'timestamps',
    'type telemetry',
    'type config',
  ],
  search: ['type answers', 'language', 'type inference', 'storage', 'contract', 'ids', 'type config', 'type telemetry'],
  catalogue: [
    'answers',
    'sources',
    'search',
    'outbound',
    'language',
    'type inference',
    'access',
    'storage',
    'contract',
    'ids',
    'days',
    'retry-after',
    'type config',
    'type sealed-text',
  ],
  access: ['storage', 'contract', 'ids', 'type sealed-text', 'days', 'caching'],
  answers: ['language', 'type inference', 'contract', 'retry-after'],
  language: [],
  inference: ['caching'],
  storage: ['contract', 'ids', 'days', 'private-file', 'caching'],
  outbound: [],
  config: ['outbound', 'contract', 'typos', 'days'],
  days: [],
  timestamps: [],
  ids: [],
  mail: [],
  typos: [],
  telemetry: ['type config', 'type lifecycle', 'version'],
  'retry-after': [],
  'local-time': ['type contract', 'days'],
  'private-file': [],
  'sealed-text': [],
  caching: [],
  lifecycle: [],
  version: [],

  // the packages around it
  contract: [],
  sdk: ['contract'],
  cli: ['sdk', 'contract', 'maintenance', 'config', 'catalogue', 'type storage'],
  widget: ['type contract'],
  dashboard: ['sdk', 'type contract'],
}

/** Modules that are opened with a Context, and may run in the background. */
const openedModules = [
  'access',
  'actions',
  'bots',
  'catalogue',
  'conversations',
  'http',
  'inference',
  'insights',
  'keys',
  'pages',
  'privacy',
  'search',
  'sources',
  'webhooks',
  'workspaces',
]

/** Tools that use the server from outside may import all of it. */
const tools = ['e2e', 'examples', 'lab']
/** Files of the contract without schemas, small enough for the dashboard's first load. */
const plainValues = ['languages', 'limits', 'screens'].map((name) => `contract/src/${name}.ts`)
const inBrowsers = ['contract', 'sdk', 'widget', 'dashboard']

type Files = Map<string, string>

describe('the sources', () => {
  const files = readSources()

  test('are found', () => {
    expect([...files.keys()]).toContain('server/src/main.ts')
    expect(new Set([...files.keys()].map(moduleOf))).toContain('contract')
  })
  test('import only what their module may import', () => expect(forbiddenImports(files)).toEqual([]))
  test('have no cycles', () => expect(cycles(files)).toEqual([]))
  test('are wired only in app.ts and app/', () => expect(wiringElsewhere(files)).toEqual([]))
  test('contain SQL only in storage', () => expect(sqlElsewhere(files)).toEqual([]))
  test('read the environment only in config.ts', () => expect(environmentElsewhere(files)).toEqual([]))
  test('have no default exports', () => expect(defaultExports(files)).toEqual([]))
})

describe('the checker itself fails on', () => {
  const one = (path: string, text: string): Files => new Map([[path, text]])

  test.each([
    ['server/src/answers/a.ts', "import { find } from '../storage/bots.ts'"],
    ['server/src/answers/a.ts', "import type { Bot } from '../storage/bots.ts'"],
    ['server/src/search/a.ts', "import {\n  type A,\n  b,\n} from '../answers/types.ts'"],
    ['server/src/storage/a.ts', "const x = await import('../http/route.ts')"],
    ['server/src/access/a.ts', "export { demo } from '../demo/shop.ts'"],
    ['server/src/language/a.ts', "import { Fault } from '@docent/contract'"],
    ['server/src/http/a.ts', "import '../app.ts'"],
    ['server/src/drawer/a.ts', "import { chat } from '../http/chat.ts'"],
    ['widget/src/a.ts', "import { routes } from '@docent/contract'"],
    ['dashboard/src/pages/a.tsx', "import { x } from '../../../server/src/ids.ts'"],
    ['dashboard/src/pages/a.tsx', "import { Fault } from '@docent/contract/errors'"],
    ['contract/src/screens.ts', "import { ids } from '../../server/src/ids.ts'"],
    ['sdk/src/a.ts', "import { Buffer } from 'node:buffer'"],
    ['contract/src/a.ts', "import { type Static, Type } from 'typebox'"],
  ])('%s: %s', (path, text) => expect(forbiddenImports(one(path, text))).toHaveLength(1))

  test('no allowed import', () => {
    expect(forbiddenImports(one('widget/src/a.ts', "import { type Bot, type Key } from '@docent/contract'"))).toEqual(
      [],
    )
    expect(forbiddenImports(one('server/src/http/a.ts', "import { b } from '../conversations/b.ts'"))).toEqual([])
    expect(forbiddenImports(one('contract/src/a.ts', "import type { Static } from 'typebox'"))).toEqual([])
  })

  test('a cycle over three files', () => {
    const files = new Map([
      ['server/src/http/a.ts', "import { b } from './b.ts'"],
      ['server/src/http/b.ts', "import type { c } from './c.ts'"],
      ['server/src/http/c.ts', "import { a } from './a.ts'\nimport { b } from './d.ts'"],
      ['server/src/http/d.ts', ''],
    ])
    expect(cycles(files)).toEqual([
      'server/src/http/a.ts → server/src/http/b.ts → server/src/http/c.ts → server/src/http/a.ts',
    ])
  })

  test('a module that wires another', () => {
    const files = new Map([
      ['server/src/access/k.ts', 'export function chatKeys(keys: KeysTable, clock: () => number) {}'],
      ['server/src/http/a.ts', "import { chatKeys, type ChatKeys } from '../access/k.ts'"],
      ['server/src/app.ts', "import { chatKeys } from './access/k.ts'"],
    ])
    expect(wiringElsewhere(files)).toEqual(['server/src/http/a.ts wires chatKeys'])
  })

  test('misplaced SQL and environment reads, and default exports', () => {
    expect(sqlElsewhere(one('server/src/http/a.ts', 'q(`SELECT id\n FROM bots`)'))).toHaveLength(1)
    expect(sqlElsewhere(one('server/src/http/a.ts', '// how a SELECT id FROM bots reads'))).toHaveLength(0)
    expect(environmentElsewhere(one('server/src/ids.ts', 'process.env.PORT'))).toHaveLength(1)
    expect(defaultExports(one('sdk/src/a.ts', 'export default {}'))).toHaveLength(1)
  })
})

function forbiddenImports(files: Files): string[] {
  return importLines(files).flatMap(({ path, target, typeOnly }) => {
    const from = moduleOf(path) ?? ''
    const to = moduleOf(target)
    // Its types only: contract/src/type.ts says why.
    if (target === 'typebox' && from === 'contract') return typeOnly ? [] : [`${path} → ${target}`]
    if (from === 'dashboard' && plainValues.includes(target)) return []
    if (target.startsWith('node:')) return inBrowsers.includes(from) ? [`${path} → ${target}`] : []
    const allowedTargets = [
      ...(arrows[from] ?? []),
      ...(openedModules.includes(from) ? ['type context', 'lifecycle'] : []),
    ]
    const isAllowed =
      to === null || to === from || allowedTargets.includes(to) || (typeOnly && allowedTargets.includes(`type ${to}`))
    return isAllowed && from in arrows ? [] : [`${path} → ${target}`]
  })
}

function cycles(files: Files): string[] {
  const next = new Map<string, string[]>()
  for (const { path, target } of importLines(files)) {
    if (files.has(target)) next.set(path, [...(next.get(path) ?? []), target])
  }
  const checkedPaths = new Set<string>()
  const cyclePaths: string[] = []
  function visit(path: string, trail: string[]) {
    if (trail.includes(path)) cyclePaths.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
    if (trail.includes(path) || checkedPaths.has(path)) return
    for (const target of next.get(path) ?? []) visit(target, [...trail, path])
    checkedPaths.add(path)
  }
  for (const path of files.keys()) visit(path, [])
  return cyclePaths
}

/** A function that takes Deps, a table or the database creates a part of the server; only app may call it. */
function wiringElsewhere(files: Files): string[] {
  const makers = new Map<string, Set<string>>()
  for (const [path, text] of files) {
    const matches = text.matchAll(/^export (?:async )?function (\w+)(?:<[^>]*>)?\(([^)]*)/gm)
    const names = [...matches]
      .filter(([, , parameters = '']) => /\b(Deps|Context|Database|\w+Table)\b/.test(parameters))
      .map(([, name]) => name)
    makers.set(path, new Set(names.filter((name) => name !== undefined)))
  }
  return importLines(files)
    .filter(({ path, target }) => moduleOf(path) !== 'app' && moduleOf(path) !== moduleOf(target))
    .flatMap(({ path, target, names }) =>
      names.filter((name) => makers.get(target)?.has(name)).map((name) => `${path} wires ${name}`),
    )
}

function sqlElsewhere(files: Files): string[] {
  const statement =
    /\b(SELECT\s[^;]*?\sFROM\s|INSERT\s+INTO\s|UPDATE\s+\w+\s+SET\s|DELETE\s+FROM\s|CREATE\s+(TABLE|INDEX)\s)/
  return [...files]
    .filter(([path, text]) => moduleOf(path) !== 'storage' && statement.test(withoutComments(text)))
    .map(pathOf)
}

function environmentElsewhere(files: Files): string[] {
  // In the dashboard, which has none, it stands in samples.
  const mayRead = (path: string) => path.endsWith('/src/config.ts') || path.startsWith('dashboard/')
  return [...files].filter(([path, text]) => !mayRead(path) && /process\.env\b/.test(withoutComments(text))).map(pathOf)
}

function defaultExports(files: Files): string[] {
  return [...files].filter(([, text]) => /^export default\b/m.test(text)).map(pathOf)
}

const pathOf = ([path]: [string, string]) => path

/**
 * "server/src/http/chat.ts" → "http", "server/src/main.ts" → "main", "sdk/src/client.ts" → "sdk".
 */
function moduleOf(path: string): string | null {
  return /^(?:server\/src\/([\w-]+)|([\w-]+)\/src\/)/.exec(path)?.slice(1).find(Boolean) ?? null
}

interface ImportLine {
  path: string
  /** The imported file relative to the project root, or a package name. */
  target: string
  typeOnly: boolean
  /** Names imported as values. */
  names: string[]
}

function importLines(files: Files): ImportLine[] {
  const line =
    /\b(?:import|export)\s+(?:(type\s)?([\w\s{},*$]*?)\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g
  return [...files].flatMap(([path, text]) =>
    [...withoutComments(text).matchAll(line)].map(([, type, clause = '', from, dynamic]) => {
      const parts = clause
        .replace(/[{}]/g, ' ')
        .split(',')
        .map((part) => part.trim())
      const names = parts.filter((part) => part && !part.startsWith('type ')).map((part) => part.split(/\s/)[0] ?? '')
      const typeOnly = type !== undefined || (clause !== '' && names.length === 0)
      return { path, target: resolveImport(path, from ?? dynamic ?? ''), typeOnly, names: typeOnly ? [] : names }
    }),
  )
}

function resolveImport(path: string, specifier: string): string {
  if (specifier.startsWith('.')) return normalize(join(dirname(path), specifier))
  return specifier.replace(/^@docent\/(\w+)(?:\/([\w-]+))?$/, (_, name, file = 'index') => `${name}/src/${file}.ts`)
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')
}

function readSources(): Files {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const files: Files = new Map()
  for (const folder of readdirSync(root)) {
    const sources = join(folder, 'src')
    if (tools.includes(folder) || !existsSync(join(root, sources))) continue
    for (const path of readdirSync(join(root, sources), { recursive: true, encoding: 'utf8' })) {
      if (/\.tsx?$/.test(path)) files.set(join(sources, path), readFileSync(join(root, sources, path), 'utf8'))
    }
  }
  return files
}
