// Imports an exported bot or workspace into the instance on this machine.
import { importBots } from '../../../server/src/maintenance/move-bots.ts'
import { type CommandInput, OK, type Terminal, text, UsageError } from '../command.ts'
import { instanceOf, rowProgress } from '../instance.ts'

export async function importArchive(input: CommandInput, terminal: Terminal): Promise<number> {
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
