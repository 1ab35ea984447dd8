import { type Command, OK, text, UsageError } from '../command.ts'
import { allItems, managementClient, SERVER_USAGE, serverOptions } from '../server.ts'

export const bots: Command = {
  name: 'bots',
  summary: 'list bots, or create one',
  usage: `[create <name>]

  --workspace <id>     workspace of a new bot; default: the caller's own
  --language <code>    language of a new bot; default: en
${SERVER_USAGE}`,
  options: { ...serverOptions, workspace: { type: 'string' }, language: { type: 'string' } },

  async run(input, terminal) {
    const [action = 'list', ...words] = input.positionals
    const client = managementClient(input, terminal)
    if (action === 'create') {
      const name = words.join(' ').trim()
      if (!name) throw new UsageError('A name is required.')
      const [workspace, language] = [text(input, 'workspace'), text(input, 'language')]
      const body = { name, ...(workspace ? { workspace_id: workspace } : {}), ...(language ? { language } : {}) }
      const bot = await client.request('POST /api/manage/v1/bots', { body })
      terminal.say(`${bot.id}  ${bot.name}`)
      terminal.result(bot)
      return OK
    }
    if (action !== 'list' || words.length > 0) throw new UsageError(`Unknown command "docent bots ${action}".`)
    const items = await allItems((query) => client.request('GET /api/manage/v1/bots', { query }))
    for (const { id, name, knowledge } of items)
      terminal.say(`${id}  ${name}  (${knowledge.documents} documents, ${knowledge.products} products)`)
    terminal.result(items)
    return OK
  },
}
