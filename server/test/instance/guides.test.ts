// Every command in every guide is run here, run by another test, or listed here as one that no test runs.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const GUIDES = join(ROOT, 'docs/guides')
const run = promisify(execFile)

/** Commands that begin like this are run by another test, which must contain all their words. */
const testedElsewhere: [begins: RegExp, tests: string[]][] = [
  [/^(DATA_DIR=\S+ )?docent (backup|restore)\b/, ['cli/test/backup.test.ts']],
  [/^docent (export|migrate-to-postgres)\b|^docent import \S+\.docent/, ['cli/test/move.test.ts']],
  [/^docent import\b/, ['cli/test/import.test.ts']],
  [/^docent (listen|feeds add)\b/, ['cli/test/integrations.test.ts']],
  [/^(echo "\$NEW_PASSWORD" \| )?docent (reset-password|doctor)\b/, ['cli/test/commands.test.ts']],
  [/^npm start|^npm run build:packages/, ['e2e/test/packages.test.ts', 'server/test/instance/running.test.ts']],
]

/** Not run by any test: they change the machine, need something it does not have, or take long. */
const notRun = [
  /^sudo |^journalctl |^git pull|^echo '.*' \| sudo tee/,
  /^docker |^kubectl |^claude mcp /,
  /^export SECRET_KEY_FILE=\S+ DATABASE_URL=/,
  /^npm run eval |^node_modules\/\.bin\/node lab\//,
  // Settings, covered by the configuration tests.
  /^[A-Z_]+=\S/,
]

interface Command {
  guide: string
  text: string
}

const commands = readdirSync(GUIDES)
  .filter((name) => name.endsWith('.md'))
  .flatMap((guide) => commandsOf(guide, readFileSync(join(GUIDES, guide), 'utf8')))
const isElsewhere = ({ text }: Command) => testedElsewhere.some(([pattern]) => pattern.test(text))
const isNotRun = ({ text }: Command) => notRun.some((pattern) => pattern.test(text))

describe('commands in the guides', () => {
  test('run as written, against a server', async () => {
    const environment = { ALLOWED_PRIVATE_NETWORKS: '127.0.0.1', METRICS_TOKEN: 'metrics-token-0123456789' }
    const server = await startServer('sqlite', { environment })
    const { botId, key, keyId } = await server.createBot({ plan: 'enterprise' })
    // The visitor that the privacy guide erases.
    await server.call('POST /api/v1/chat', { token: key, body: { bot_id: botId, message: 'Hi', user_id: '4711' } })
    const runCommands = commands.filter((command) => !isElsewhere(command) && !isNotRun(command))
    expect(runCommands.length).toBeGreaterThan(30)
    const folder = join(server.database.dataDir, 'guide')
    mkdirSync(join(folder, 'data'), { recursive: true })
    writeFileSync(join(folder, 'data/admin-token'), ADMIN_TOKEN)
    writeFileSync(join(folder, 'answers.csv'), 'question,answer\nWhen do you open?,At nine.\n')
    writeFileSync(join(folder, 'prices.csv'), 'Article,Price\nLamp,9 EUR\n')
    writeFileSync(join(folder, 'handbook.pdf'), 'not a PDF: refused alone, and the rest is taken')
    const script = [
      'set -euo pipefail',
      'curl() { command curl --silent --show-error --fail-with-body --max-time 20 "$@"; }',
      `METRICS_TOKEN=${environment.METRICS_TOKEN} DOCENT_API_KEY=${key} key_id=${keyId}`,
      ...ordered(runCommands).map(({ guide, text }) => `echo; echo '## ${guide}'\n${filled(text)}${after(text)}`),
    ].join('\n')
    const { stdout } = await run('bash', ['-c', script], { cwd: folder }).catch((error) => {
      throw new Error(`${error.stdout.slice(-1500)}\n${error.stderr}`)
    })
    expect(stdout).toContain('Refunds take five working days')

    function filled(text: string): string {
      return text
        .replaceAll(/http:\/\/localhost:8080|https:\/\/docent\.example\.com(?=\/(v1|mcp))/g, server.baseUrl)
        .replaceAll('bot=bot_…', `bot=${botId}`)
        .replaceAll('dct_chat_…', key)
        .replaceAll('DOCENT_SYNC_KEY=dct_sync_…', 'DOCENT_SYNC_KEY=$(echo "$made" | tail -n 1)')
        .replaceAll('sk-…', 'sk-test')
        .replaceAll('sk-ant-…', 'sk-ant-test')
    }
  })

  test.each(commands.filter(isElsewhere))('$guide: $text is run by another test', ({ text }) => {
    const [, tests = []] = testedElsewhere.find(([pattern]) => pattern.test(text)) ?? []
    const source = tests.map((path) => readFileSync(join(ROOT, path), 'utf8')).join('\n')
    const words = text.match(/(?<= )(--)?[a-z]+(-[a-z]+)*(?= |$)/g) ?? []
    const knownWords = words.filter(
      (word) => word.startsWith('--') || /^(backup|restore|export|import|doctor)$/.test(word),
    )
    expect(knownWords.filter((word) => !source.includes(`'${word}'`))).toEqual([])
  })
})

test('no document but the install guide tells people to take packages from the registry, where there are none', () => {
  const inFolder = (folder: string) =>
    readdirSync(join(ROOT, folder)).flatMap((name) => (name.endsWith('.md') ? join(folder, name) : []))
  const pages = [...['.', 'docs', 'docs/guides', 'docs/decisions', 'sdk', 'widget', 'cli'].flatMap(inFolder)]
  const fromRegistry = /npx (@docent\/)?docent|npm (install|i) (-g )?(@docent\/\w+|docent)\b|npmjs\.com\/package/
  const offending = pages.filter((page) => fromRegistry.test(readFileSync(join(ROOT, page), 'utf8')))
  expect(offending).toEqual(['docs/guides/install.md'])
})

test('links between the documents have a target', () => {
  const inFolder = (folder: string) =>
    readdirSync(join(ROOT, folder)).flatMap((name) => (name.endsWith('.md') ? join(folder, name) : []))
  const pages = ['.', 'docs', 'docs/guides', 'docs/decisions'].flatMap(inFolder)
  const brokenLinks = pages.flatMap((page) => {
    const text = readFileSync(join(ROOT, page), 'utf8')
    const links = [...text.matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
    return links.flatMap(([link, path = '', anchor]) => {
      const target = join(ROOT, path ? join(dirname(page), path) : page)
      const leads = existsSync(target) && (!anchor || !target.endsWith('.md') || anchorsOf(target).includes(anchor))
      return leads ? [] : [`${page}: ${link}`]
    })
  })
  expect(brokenLinks).toEqual([])
})

/** The anchors that GitHub derives from headings. */
function anchorsOf(page: string): string[] {
  const headings = readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm)
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** Commands that extend others come after them: first the bot is created, then it is used. */
function ordered(all: Command[]): Command[] {
  const first = all.filter(({ guide }) => guide === 'first-bot.md')
  return [...first, ...all.filter(({ guide }) => guide !== 'first-bot.md')]
}

/** Extracts what a reader would copy from one response into the next command. */
function after(text: string): string {
  if (/\/crawls -H/.test(text)) return ' | tee crawl.json\ncrawl=$(grep -o "crl_[a-z0-9]*" crawl.json | head -n 1)'
  if (/\/sync-key /.test(text)) return ' | tee made.json\nmade=$(grep -o "dct_sync_[A-Za-z0-9]*" made.json)'
  return ''
}

/** Continued lines and open quotes belong to one command. */
function commandsOf(guide: string, text: string): Command[] {
  return [...text.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) => {
    const blockCommands: Command[] = []
    let command = ''
    for (const line of block.split('\n')) {
      command = command ? `${command}\n${line}` : line
      const quotes =
        command
          .replaceAll(/\\["']/g, '')
          .replaceAll(/"[^"]*"/g, '')
          .match(/'/g)?.length ?? 0
      if (line.endsWith('\\') || quotes % 2 === 1) continue
      if (command.trim() && !command.startsWith('#')) blockCommands.push({ guide, text: command.replace(/ +#.*$/, '') })
      command = ''
    }
    return blockCommands
  })
}
