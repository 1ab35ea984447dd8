import { restore, restoreSecrets } from '../../../server/src/maintenance/backups.ts'
import { type Command, OK, text, UsageError } from '../command.ts'
import { INSTANCE_USAGE, instanceOf, rowProgress } from '../instance.ts'

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'restore a backup, on SQLite or PostgreSQL',
  usage: `<file> [--secrets-to <folder>]

Restores a backup to an empty data folder or an empty PostgreSQL database, all or nothing, after checking all of it.
It may come from the other database engine or an earlier version. The server must be stopped.
A configured secret key must match the backup's.

  --secrets-to <folder>  write only the backup's secrets to a folder, for SECRET_KEY_FILE

${INSTANCE_USAGE}`,
  options: { 'secrets-to': { type: 'string' } },

  async run(input, terminal) {
    const [file, ...others] = input.positionals
    if (!file || others.length > 0) throw new UsageError('Give the backup to restore.')
    const { onRows, end } = rowProgress(terminal)
    const options = { file, onRows, now: Date.now() }
    const folder = text(input, 'secrets-to')
    if (folder) {
      const secretNames = await restoreSecrets(folder, options).finally(end)
      terminal.say(`${folder}: ${secretNames.join(', ') || 'the backup has no new secrets'}`)
      terminal.result({ folder, secrets: secretNames })
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
