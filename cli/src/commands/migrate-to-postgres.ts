import { migrateToPostgres } from '../../../server/src/maintenance/upgrades.ts'
import { type Command, OK } from '../command.ts'
import { instanceOf, rowProgress } from '../instance.ts'

export const migrateCommand: Command = {
  name: 'migrate-to-postgres',
  summary: 'move an instance from SQLite to PostgreSQL',
  usage: `[--restart]

Copies the SQLite database in DATA_DIR to the empty PostgreSQL database in DATABASE_URL and compares every row. The
server must be stopped. After an interruption, run it again to continue. The folder is not changed.
SECRET_KEY must be the instance's key (SECRET_KEY_FILE=data/secret-key).

  --restart            start over, if the SQLite database was used in between`,
  options: { restart: { type: 'boolean' } },

  async run({ values }, terminal) {
    const copying = rowProgress(terminal, 'copied: ')
    const comparing = rowProgress(terminal, 'compared: ')
    const rows = await migrateToPostgres(instanceOf(terminal), {
      restart: values.restart === true,
      now: Date.now(),
      onCopied: copying.onRows,
      onCompared: comparing.onRows,
    }).finally(comparing.end)
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
    terminal.say(`${total} rows are identical in both. Start the server with the same DATABASE_URL and SECRET_KEY.`)
    terminal.result({ rows })
    return OK
  },
}
