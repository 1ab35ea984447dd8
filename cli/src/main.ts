#!/usr/bin/env node
// `docent import <folder|file|url>… --bot <id>`: adds files or a website to a bot's knowledge.
import { parseArgs } from 'node:util'
import { createClient, DocentError } from '@docent/sdk'
import { readToken, serverUrl } from './config.ts'
import { importFiles } from './import-files.ts'
import { importWebsite } from './import-website.ts'

const USAGE = `docent import <folder, file or url>… --bot <id>

Adds files (PDF, DOCX, HTML, Markdown, text, CSV) or a website to a bot's knowledge.

  --bot <id>           the bot's id (bot_…)
  --server <url>       the server (default: DOCENT_URL or http://localhost:8080)
  --token-file <path>  a file with a management token (default: DOCENT_TOKEN or data/admin-token)
  --pages-at <url>     base URL under which the files are cited
  --max-pages <n>      page limit for a website
  -h, --help           show this help
`

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 1
}

async function run(given: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: given,
    allowPositionals: true,
    options: {
      bot: { type: 'string' },
      server: { type: 'string' },
      'token-file': { type: 'string' },
      'pages-at': { type: 'string' },
      'max-pages': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  const [command, ...places] = positionals
  if (values.help || command === undefined) {
    process.stdout.write(USAGE)
    return values.help ? 0 : 1
  }
  if (command !== 'import') throw new Error(`Unknown command "${command}".\n\n${USAGE}`)
  if (!values.bot || places.length === 0) throw new Error(`Pass what to import and --bot.\n\n${USAGE}`)

  const baseUrl = values.server ?? serverUrl()
  const token = readToken(values['token-file'])
  const server = { client: createClient({ baseUrl, token }), botId: values.bot }
  let failed = 0
  for (const place of places) {
    const isWebsite = /^https?:\/\//i.test(place)
    failed += isWebsite
      ? await importWebsite(server, place, values['max-pages'])
      : await importFiles(server, place, values['pages-at'], places.length > 1)
  }
  return failed > 0 ? 2 : 0
}

function explain(error: unknown): string {
  if (error instanceof DocentError) return `${error.message} (${error.code})`
  const { message, cause } = error as { message: string; cause?: { code?: string } }
  return message === 'fetch failed' ? `Could not reach the server${cause?.code ? ` (${cause.code})` : ''}.` : message
}
