// Moves pages from the log into the database file, on its own connection.
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

const database = new DatabaseSync(workerData.path)
// The connection only opens the log when it reads.
database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()

parentPort?.on('message', (order: 'checkpoint' | 'close') => {
  if (order === 'close') {
    database.close()
    parentPort?.close()
    return
  }
  database.exec('PRAGMA wal_checkpoint(PASSIVE)')
  parentPort?.postMessage('done')
})
