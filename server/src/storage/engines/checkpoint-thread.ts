// Checkpoints copy megabytes and wait for the disk. They are done in a thread, so that no request waits for them; it is
// started by the first one. Should it fail, the writer does its own, later, as without a thread.
import { Worker } from 'node:worker_threads'

export interface Checkpoints {
  /** Starts one unless one is under way. */
  begin(): void
  close(): Promise<void>
}

export function createCheckpointThread(path: string): Checkpoints {
  let worker: Worker | null = null
  let underWay = false
  let failed = false

  function start(): Worker {
    const made = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), { workerData: { path } })
    made.on('message', () => {
      underWay = false
    })
    made.on('error', () => {
      failed = true
    })
    // After the listeners, which would hold the process again.
    made.unref()
    return made
  }

  return {
    begin() {
      if (underWay || failed) return
      underWay = true
      worker ??= start()
      worker.postMessage('checkpoint')
    },
    async close() {
      if (!worker || failed) return
      const ended = new Promise((resolve) => worker?.once('exit', resolve))
      worker.ref()
      worker.postMessage('close')
      await ended
    },
  }
}
