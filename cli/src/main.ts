#!/usr/bin/env node
// `docent import <folder|file|url>… --bot <id>`: brings files or a website into a bot from the command line.
import { parseArgs } from 'node:util'
import { createClient, DocentError } from '@docent/sdk'
import { readToken, serverUrl } from './config.ts'
import { importFiles } from './import-files.ts'
import { importWebsite } from './import-website.ts'

const USAGE = `docent import <folder, file or url>… --bot <id>

Brings files (PDF, DOCX, HTML, Markdown, text, CSV) or a website into what a bot knows.

  --bot <id>           the bot (bot_…)
  --server <url>       default: DOCENT_URL, else http://localhost:8080
  --token-file <path>  a management token; default: DOCENT_TOKEN, else data/admin-token
  --pages-at <url>     files are cited as pages below this address
  --max-pages <n>      of a website
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
  if (command !== 'import') throw new Error(`There is no command "${command}".\n\n${USAGE}`)
  if (!values.bot || places.length === 0) throw new Error(`What to import, and --bot, are needed.\n\n${USAGE}`)

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
  return message === 'fetch failed' ? `The server cannot be reached${cause?.code ? ` (${cause.code})` : ''}.` : message
}
