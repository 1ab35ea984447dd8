import { importBots } from '../../../server/src/maintenance/move-bots.ts'
import {
  type Command,
  type CommandInput,
  FAILED,
  OK,
  requireText,
  type Terminal,
  text,
  UsageError,
  wholeNumber,
} from '../command.ts'
import { sayPages, waitForCrawl } from '../crawl-progress.ts'
import { instanceOf, rowProgress } from '../instance.ts'
import { managementClient, SERVER_USAGE, type Server, serverOptions } from '../server.ts'
import { importFiles } from './import-files.ts'

export const importCommand: Command = {
  name: 'import',
  summary: 'import files, a website or an exported bot',
  usage: `<folder, file or url>… --bot <id>
docent import <file.docent> [--workspace <id>]

Adds files (PDF, DOCX, XLSX, PPTX, ODT, HTML, Markdown, text, CSV) or a website to a bot's knowledge, through a running
server. Files of other types in a folder are listed and left out.

A .docent archive, created by docent export, becomes a bot or a workspace in the instance that DATA_DIR or
DATABASE_URL selects, all or nothing. On SQLite the server must be stopped. A bot keeps its id unless it is taken.

  --bot <id>           the bot (bot_…)
  --pages-at <url>     cite files as pages below this URL
  --max-pages <n>      page limit for a website
  --workspace <id>     target of an archive; default: ws_instance for a bot, a new one for a workspace
${SERVER_USAGE}`,
  options: {
    ...serverOptions,
    bot: { type: 'string' },
    workspace: { type: 'string' },
    'pages-at': { type: 'string' },
    'max-pages': { type: 'string' },
  },

  async run(input, terminal) {
    const places = input.positionals
    if (places.length === 0) throw new UsageError('Give a folder, a file or a URL to import.')
    if (places.some((place) => place.endsWith('.docent'))) return importArchive(input, terminal)
    const botId = requireText(input, 'bot')
    const maxPages = wholeNumber(input, 'max-pages', 1)
    const server = { client: managementClient(input, terminal), botId }
    const reports = []
    for (const place of places) {
      const isWebsite = /^https?:\/\//i.test(place)
      reports.push(
        isWebsite
          ? await importWebsite(server, terminal, place, maxPages)
          : await importFiles(server, terminal, place, text(input, 'pages-at'), places.length > 1),
      )
    }
    terminal.result(reports)
    return reports.some(({ failed }) => failed > 0) ? FAILED : OK
  },
}

/** Imports an exported bot or workspace into the instance on this machine. */
async function importArchive(input: CommandInput, terminal: Terminal): Promise<number> {
  const [file, ...others] = input.positionals
  if (!file || others.length > 0) throw new UsageError('Give one archive.')
  const { onRows, end } = rowProgress(terminal)
  const options = { file, workspaceId: text(input, 'workspace') ?? null, onRows, now: Date.now() }
  const result = await importBots(instanceOf(terminal), options).finally(end)
  for (const { id, oldId, name, webhooks, actions } of result.bots) {
    terminal.say(`${name}: ${id}${id === oldId ? '' : ` (was ${oldId}, which is taken)`} in ${result.workspaceId}`)
    for (const { url, secret } of webhooks) terminal.say(`  webhook ${url}: new secret ${secret}`)
    for (const action of actions) terminal.say(`  action ${action.name}: new secret ${action.secret}`)
  }
  terminal.say('Archives contain no API keys and no language model keys: create or set new ones.')
  terminal.result({ workspace_id: result.workspaceId, bots: result.bots })
  return OK
}

/** Starts a crawl on the server and shows its progress. */
async function importWebsite(server: Server, terminal: Terminal, url: string, maxPages: number | undefined) {
  const { client, botId } = server
  // A second import of a site fetches only what changed, and removes pages that are gone.
  const body = { url, update_existing: true, ...(maxPages === undefined ? {} : { max_pages: maxPages }) }
  const startedCrawl = await client.request('POST /api/manage/v1/bots/{botId}/crawls', { params: { botId }, body })
  const crawl = await waitForCrawl(server, terminal, startedCrawl)
  sayPages(terminal, crawl, 'Raise --max-pages to crawl them.')
  const { done, unchanged, skipped, failed } = crawl.pages
  return { place: url, done, unchanged, skipped, failed: crawl.state === 'failed' ? Math.max(1, failed) : failed }
}
