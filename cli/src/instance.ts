// What commands that work on an instance's own data have in common.
import { readConfig } from '../../server/src/config.ts'
import type { OnRows } from '../../server/src/storage/archives/copy-rows.ts'
import type { Terminal } from './command.ts'

export const INSTANCE_USAGE = `The instance is the one that DATA_DIR or DATABASE_URL, and SECRET_KEY, name, from the environment or .env.`

export function instanceOf({ environment }: Terminal) {
  return readConfig(environment)
}

/** Rows as they are copied. How many there are is not known before. */
export function rowProgress(terminal: Terminal, what = ''): { onRows: OnRows; end: () => void } {
  const bar = terminal.progress()
  let done = 0
  const onRows: OnRows = (table, rows) => {
    done += rows
    bar.show(done, done, what + table)
  }
  return { onRows, end: () => bar.end() }
}
