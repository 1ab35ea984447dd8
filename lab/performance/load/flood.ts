// A flood of messages to one bot or, as a baseline, to a bare Node server that refuses all: the cost of serving and
// sending a flood on one machine, whatever the target.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

// A thousand times the limit per address.
const PER_SECOND = 1000

export interface Flooded<T> {
  /** Result of the work done meanwhile. */
  result: T
  admitted: number
  refused: number
  /** Of the flooded server. */
  cpuSeconds: number
}

export async function openFlood(url: string, botId: string) {
  const path = `/api/chat/${botId}/message`
  const bare = forked('bare-server.ts')
  const { port } = await told<{ port: number }>(bare)

  async function flood<T>(
    address: string,
    cpu: () => Promise<number>,
    meanwhile: () => Promise<T>,
  ): Promise<Flooded<T>> {
    const before = await cpu()
    const flooder = forked('flood-process.ts', [address, String(PER_SECOND)])
    const result = await meanwhile()
    const cpuSeconds = (await cpu()) - before
    return { result, cpuSeconds, ...(await answerOf<{ admitted: number; refused: number }>(flooder)) }
  }

  return {
    ours: <T>(meanwhile: () => Promise<T>) => flood(url + path, () => cpuOf(url), meanwhile),
    bare: <T>(meanwhile: () => Promise<T>) =>
      flood(`http://127.0.0.1:${port}${path}`, async () => (await answerOf<{ cpu: number }>(bare)).cpu, meanwhile),
    close: () => bare.disconnect(),
  }
}

function forked(file: string, args: string[] = []): ChildProcess {
  return fork(fileURLToPath(new URL(`./${file}`, import.meta.url)), args)
}

function answerOf<T>(child: ChildProcess): Promise<T> {
  child.send('')
  return told<T>(child)
}

async function told<T>(child: ChildProcess): Promise<T> {
  return (await once(child, 'message'))[0] as T
}

async function cpuOf(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1])
}
