import { restore, restoreSecrets } from '../../../server/src/maintenance/restore.ts'
import { type Command, OK, text, UsageError } from '../command.ts'
import { INSTANCE_USAGE, instanceOf, rowProgress } from '../instance.ts'

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'bring a backup back, on SQLite or PostgreSQL',
  usage: `<file> [--secrets-to <folder>]

Brings a backup back into an empty data folder or an empty PostgreSQL database, all or nothing, after checking it whole.
It may come from the other kind of database or an earlier version. The server must be stopped.
A secret key that is set here and is not the backup's is refused.

  --secrets-to <folder>  writes only the backup's secrets into a folder, to set SECRET_KEY_FILE from

${INSTANCE_USAGE}`,
  options: { 'secrets-to': { type: 'string' } },

  async run(given, terminal) {
    const [file, ...others] = given.positionals
    if (!file || others.length > 0) throw new UsageError('Name the backup to restore.')
    const { onRows, end } = rowProgress(terminal)
    const options = { file, onRows, now: Date.now() }
    const folder = text(given, 'secrets-to')
    if (folder) {
      const written = await restoreSecrets(folder, options).finally(end)
      terminal.say(`${folder}: ${written.join(', ') || 'no secrets in the backup that are not there already'}`)
      terminal.result({ folder, secrets: written })
      return OK
    }
    const instance = instanceOf(terminal)
    const { version, created_at, rows } = await restore(instance, options).finally(end)
    const bots = rows.bots === 1 ? '1 bot' : `${rows.bots ?? 0} bots`
    terminal.say(`Restored the backup of ${created_at} (version ${version}): ${bots}.`)
    terminal.result({ file, version, created_at, rows })
    return OK
  },
}
