import { backUp } from '../../../server/src/maintenance/back-up.ts'
import { type Command, OK, UsageError } from '../command.ts'
import { INSTANCE_USAGE, instanceOf, rowProgress } from '../instance.ts'

export const backup: Command = {
  name: 'backup',
  summary: 'write the whole instance into one file',
  usage: `[<file>] [--without-secrets]

Writes the database, uploaded files and secrets into one file, while the server runs. It is read back once.
Keep it like a password: it holds the key that opens all stored secrets.

  <file>               default: docent-<time>.backup
  --without-secrets    leaves the key out; a restore then needs SECRET_KEY

${INSTANCE_USAGE}`,
  options: { 'without-secrets': { type: 'boolean' } },

  async run({ values, positionals }, terminal) {
    if (positionals.length > 1) throw new UsageError('Name one file.')
    const now = Date.now()
    const output = positionals[0] ?? `docent-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '')}.backup`
    const { onRows, end } = rowProgress(terminal)
    const options = { output, withSecrets: !values['without-secrets'], onRows, now }
    const { manifest, bytes } = await backUp(instanceOf(terminal), options).finally(end)
    const { version, schema, rows, secrets } = manifest
    terminal.say(`${output}: ${sum(rows)} rows, ${Math.ceil(bytes / 1024)} KB`)
    terminal.result({ file: output, bytes, version, schema, rows, secrets: Object.keys(secrets) })
    return OK
  },
}

function sum(rows: Record<string, number>): number {
  return Object.values(rows).reduce((total, count) => total + count, 0)
}
