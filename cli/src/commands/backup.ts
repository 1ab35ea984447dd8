import { dirname } from 'node:path'
import { backUp, backupName, deleteOlderBackups } from '../../../server/src/maintenance/backups.ts'
import { type Command, OK, UsageError } from '../command.ts'
import { INSTANCE_USAGE, instanceOf, rowProgress } from '../instance.ts'

export const backup: Command = {
  name: 'backup',
  summary: 'save the whole instance to one file',
  usage: `[<file>] [--force] [--keep <number>] [--without-secrets]

Saves the database, uploaded files and secrets to one file and verifies it. The server may be running.
Protect it like a password: it contains the key to all stored secrets.

  <file>               default: docent-<time>.backup
  --force              replace the file if it exists, once the new one is complete
  --keep <number>      afterwards delete older docent-<time>.backup files beside it, except for the newest ones
  --without-secrets    leave the key out; restoring then needs SECRET_KEY

${INSTANCE_USAGE}`,
  options: { 'without-secrets': { type: 'boolean' }, force: { type: 'boolean' }, keep: { type: 'string' } },

  async run({ values, positionals }, terminal) {
    if (positionals.length > 1) throw new UsageError('Give at most one file.')
    const keep = values.keep === undefined ? null : Number(values.keep)
    if (keep !== null && !(Number.isInteger(keep) && keep > 0)) throw new UsageError('--keep takes a number from 1.')
    const now = Date.now()
    const output = positionals[0] ?? backupName(now)
    const { onRows, end } = rowProgress(terminal)
    const options = { output, withSecrets: !values['without-secrets'], force: values.force === true, onRows, now }
    const { manifest, bytes } = await backUp(instanceOf(terminal), options).finally(end)
    const { version, schema, rows, secrets } = manifest
    terminal.say(`${output}: ${sum(rows)} rows, ${Math.ceil(bytes / 1024)} KB`)
    const deletedPaths = keep === null ? [] : deleteOlderBackups(dirname(output), keep)
    for (const path of deletedPaths) terminal.say(`${path}: deleted`)
    terminal.result({
      file: output,
      bytes,
      version,
      schema,
      rows,
      secrets: Object.keys(secrets),
      deleted: deletedPaths,
    })
    return OK
  },
}

function sum(rows: Record<string, number>): number {
  return Object.values(rows).reduce((total, count) => total + count, 0)
}
