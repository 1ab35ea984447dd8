// Checkpoints copy megabytes and wait for the disk, so they run in a thread, started on first use. If it fails,
// the writer's own automatic checkpoints take over, at a larger log size.
import { Worker } from 'node:worker_threads'

export interface Checkpoints {
  /** Starts a checkpoint unless one is running. */
  begin(): void
  close(): Promise<void>
}

export function openCheckpoints(path: string): Checkpoints {
  let worker: Worker | null = null
  let underWay = false
  let hasFailed = false

  function start(): Worker {
    const thread = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), { workerData: { path } })
    thread.on('message', () => {
      underWay = false
    })
    thread.on('error', () => {
      hasFailed = true
    })
    // After adding listeners, which would ref the worker again.
    thread.unref()
    return thread
  }

  return {
    begin() {
      if (underWay || hasFailed) return
      underWay = true
      worker ??= start()
      worker.postMessage('checkpoint')
    },
    async close() {
      if (!worker || hasFailed) return
      const exit = new Promise((resolve) => worker?.once('exit', resolve))
      worker.ref()
      worker.postMessage('close')
      await exit
    },
  }
}
