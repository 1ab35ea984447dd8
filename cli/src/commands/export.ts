import { exportBots } from '../../../server/src/maintenance/move-bots.ts'
import { type Command, OK, text, UsageError } from '../command.ts'
import { INSTANCE_USAGE, instanceOf, rowProgress } from '../instance.ts'

export const exportCommand: Command = {
  name: 'export',
  summary: 'save a bot or a workspace to one file',
  usage: `[<file.docent>] --bot <id> | --workspace <id>

Saves settings, documents, files, curated answers, actions, products, crawls and webhooks to one file. The server may be running.
Keys and secrets are left out. Use docent import to load the file into another instance.

  <file.docent>        default: <id>.docent
  --bot <id>           one bot
  --workspace <id>     all bots of a workspace
  --with-conversations also conversations, visitors, leads and figures

${INSTANCE_USAGE}`,
  options: {
    bot: { type: 'string' },
    workspace: { type: 'string' },
    'with-conversations': { type: 'boolean' },
  },

  async run(input, terminal) {
    const botId = text(input, 'bot') ?? null
    const workspaceId = text(input, 'workspace') ?? null
    if ((botId === null) === (workspaceId === null)) throw new UsageError('Give either --bot or --workspace.')
    const output = input.positionals[0] ?? `${botId ?? workspaceId}.docent`
    if (!output.endsWith('.docent')) throw new UsageError('The file name must end in .docent.')
    const { onRows, end } = rowProgress(terminal)
    const withConversations = input.values['with-conversations'] === true
    const options = { output, botId, workspaceId, withConversations, onRows, now: Date.now() }
    const { report, manifest, bytes } = await exportBots(instanceOf(terminal), options).finally(end)
    terminal.say(`${output}: ${report.map(({ name }) => name).join(', ')} (${Math.ceil(bytes / 1024)} KB)`)
    terminal.result({ file: output, bytes, bots: report, rows: manifest.rows })
    return OK
  },
}
