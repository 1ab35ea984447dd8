// An exported bot or workspace into the instance on this machine.
import { importBots } from '../../../server/src/maintenance/move-bots.ts'
import { type Given, OK, type Terminal, text, UsageError } from '../command.ts'
import { instanceOf, rowProgress } from '../instance.ts'

export async function importArchive(given: Given, terminal: Terminal): Promise<number> {
  const [file, ...others] = given.positionals
  if (!file || others.length > 0) throw new UsageError('Name one archive.')
  const { onRows, end } = rowProgress(terminal)
  const options = { file, workspaceId: text(given, 'workspace') ?? null, onRows, now: Date.now() }
  const imported = await importBots(instanceOf(terminal), options).finally(end)
  for (const { id, oldId, name, webhooks } of imported.bots) {
    terminal.say(
      `${name}: ${id}${id === oldId ? '' : ` (was ${oldId}, which is taken here)`} in ${imported.workspaceId}`,
    )
    for (const { url, secret } of webhooks) terminal.say(`  webhook ${url}: its new secret is ${secret}`)
  }
  terminal.say('API keys, and the key of a language model, are not part of an archive: make or set new ones.')
  terminal.result({ workspace_id: imported.workspaceId, bots: imported.bots })
  return OK
}
