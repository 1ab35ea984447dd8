import { exportBots } from '../../../server/src/maintenance/move-bots.ts'
import { type Command, OK, text, UsageError } from '../command.ts'
import { INSTANCE_USAGE, instanceOf, rowProgress } from '../instance.ts'

export const exportCommand: Command = {
  name: 'export',
  summary: 'write a bot or a workspace into one file',
  usage: `[<file.docent>] --bot <id> | --workspace <id>

Writes settings, documents, files, curated answers, products, crawls and webhooks into one file, while the server runs.
Keys and secrets stay behind. docent import brings it into another instance.

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

  async run(given, terminal) {
    const botId = text(given, 'bot') ?? null
    const workspaceId = text(given, 'workspace') ?? null
    if ((botId === null) === (workspaceId === null)) throw new UsageError('Name either --bot or --workspace.')
    const output = given.positionals[0] ?? `${botId ?? workspaceId}.docent`
    if (!output.endsWith('.docent')) throw new UsageError('The name of the file must end in .docent.')
    const { onRows, end } = rowProgress(terminal)
    const withConversations = given.values['with-conversations'] === true
    const options = { output, botId, workspaceId, withConversations, onRows, now: Date.now() }
    const { report, manifest, bytes } = await exportBots(instanceOf(terminal), options).finally(end)
    terminal.say(`${output}: ${report.map(({ name }) => name).join(', ')} (${Math.ceil(bytes / 1024)} KB)`)
    terminal.result({ file: output, bytes, bots: report, rows: manifest.rows })
    return OK
  },
}
