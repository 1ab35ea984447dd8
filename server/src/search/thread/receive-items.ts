import { type MessagePort, parentPort } from 'node:worker_threads'

/** Receives everything that `runInThread` sends to its thread. */
export function receiveItems<Item>(): Promise<{ items: Item[]; port: MessagePort }> {
  return new Promise((resolve, reject) => {
    const port = parentPort
    if (!port) return reject(new Error('this runs only in a thread'))
    const items: Item[] = []
    port.on('message', (some: Item[] | null) => {
      if (some) for (const item of some) items.push(item)
      else resolve({ items, port })
    })
  })
}
