import { type Command, FAILED, OK, requireText, text, UsageError, wholeNumber } from '../command.ts'
import { managementClient, SERVER_USAGE, serverOptions } from '../server.ts'
import { importArchive } from './import-archive.ts'
import { importFiles } from './import-files.ts'
import { importWebsite } from './import-website.ts'

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
