// Shared by commands that work on an instance's own data.
import { readConfig } from '../../server/src/config.ts'
import type { OnRows } from '../../server/src/storage/archives/rows.ts'
import type { Terminal } from './command.ts'

export const INSTANCE_USAGE = `DATA_DIR or DATABASE_URL, and SECRET_KEY, select the instance; they are read from the environment or .env.`

export function instanceOf({ environment }: Terminal) {
  return readConfig(environment)
}

/** Counts rows as they are copied; the total is not known. */
export function rowProgress(terminal: Terminal, what = ''): { onRows: OnRows; end: () => void } {
  const bar = terminal.progress()
  let rowsDone = 0
  const onRows: OnRows = (table, rows) => {
    rowsDone += rows
    bar.show(rowsDone, rowsDone, what + table)
  }
  return { onRows, end: () => bar.end() }
}
