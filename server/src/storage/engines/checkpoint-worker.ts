// The thread that moves pages from the log into the database file, through a connection of its own.
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

const database = new DatabaseSync(workerData.path)
// The connection learns of the log by reading.
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
