import { migrateToPostgres } from '../../../server/src/maintenance/migrate-to-postgres.ts'
import { type Command, OK } from '../command.ts'
import { instanceOf, rowProgress } from '../instance.ts'

export const migrateCommand: Command = {
  name: 'migrate-to-postgres',
  summary: 'move an instance from SQLite to PostgreSQL',
  usage: `[--restart]

Copies the SQLite database in DATA_DIR into the empty PostgreSQL database in DATABASE_URL and compares every row. The
server must be stopped. Broken off, it goes on where it was when it is run again. The folder stays as it is.
SECRET_KEY must be the key of the instance (SECRET_KEY_FILE=data/secret-key).

  --restart            begins anew, when the SQLite database was used in between`,
  options: { restart: { type: 'boolean' } },

  async run({ values }, terminal) {
    const copying = rowProgress(terminal, 'copied: ')
    const comparing = rowProgress(terminal, 'compared: ')
    const rows = await migrateToPostgres(instanceOf(terminal), {
      ...{ restart: values.restart === true, now: Date.now() },
      ...{ onCopied: copying.onRows, onCompared: comparing.onRows },
    }).finally(comparing.end)
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
    terminal.say(`${total} rows are the same in both. Start the server with the same DATABASE_URL and SECRET_KEY.`)
    terminal.result({ rows })
    return OK
  },
}
