// The parent's side of the model process: one request at a time, visitors' questions before indexing.
import type { ChildProcess } from 'node:child_process'
import { hash } from 'node:crypto'
import { Lru } from '../caching.ts'
import { EARLIER_TURNS, type ReaderPassage, type ReaderQuestion } from './reader-input.ts'
import type { Embedder, ModelState, Models, Reader, Reading, Vectors } from './types.ts'

const CACHED_TEXTS = 2000
const CACHED_READINGS = 1000
const CLOSE_MS = 2000
// No request takes this long: the process hangs and must be replaced.
const LONGEST_REQUEST_MS = 30_000

export interface ModelSettings {
  /** Folder and file of each model; null if not wanted. */
  embedder: { dir: string; file: string; maxTokens: number } | null
  reader: { dir: string; file: string } | null
  threads: number
}

export type ModelRequest =
  | { kind: 'embed'; texts: string[] }
  | { kind: 'read'; question: ReaderQuestion; passages: readonly ReaderPassage[] }

export type ModelReply =
  /** Why each model is absent; null if it is loaded. */
  | { kind: 'ready'; embedderProblem: string | null; readerProblem: string | null }
  | { kind: 'vectors'; vectors: Float32Array; dimensions: number }
  | { kind: 'readings'; readings: Reading[] }
  | { kind: 'failed'; reason: string }

interface Job {
  request: ModelRequest
  /** Whose turn it takes: one bot's questions must not delay all others. */
  lane: string
  /** When the caller stops waiting, by `performance.now()`. */
  deadline?: number
  done(reply: ModelReply | undefined): void
}

/** A model's name, or why it is absent. */
type Loaded = { model: string } | { problem: string }

export class ModelProcess implements Models {
  readonly embedder: Embedder
  readonly reader: Reader
  readonly #child: ChildProcess
  readonly #vectors = new Lru<Float32Array>(CACHED_TEXTS)
  readonly #readings = new Lru<Reading[]>(CACHED_READINGS)
  readonly #urgent: Job[] = []
  readonly #background: Job[] = []
  readonly #coming = new Map<string, Promise<Float32Array | undefined>>()
  readonly #states: { embedder: ModelState; reader: ModelState }
  readonly #onFailure: (reason: string) => void
  #running: { job: Job; startedAt: number; watchdog: NodeJS.Timeout } | undefined
  /** When each lane was last served, as a count of turns. */
  readonly #served = new Map<string, number>()
  #turns = 0
  #passageMs = 0
  #closed = false

  constructor(
    child: ChildProcess,
    loadResults: { embedder: Loaded; reader: Loaded },
    onFailure: (reason: string) => void = () => {},
  ) {
    this.#child = child
    this.#onFailure = onFailure
    const states = { embedder: stateOf(loadResults.embedder), reader: stateOf(loadResults.reader) }
    this.#states = states
    this.embedder = {
      get model() {
        return states.embedder.kind === 'ready' ? states.embedder.model : null
      },
      get state() {
        return states.embedder
      },
      embed: (texts, options) => this.#embed(texts, options),
      close: () => this.close(),
    }
    this.reader = {
      get state() {
        return states.reader
      },
      read: (question, passages, options) => this.#read(question, passages, options),
    }
    child.on('message', (reply: ModelReply) => this.#receive(reply))
    child.on('error', (error) => this.#die(String(error)))
    child.on('exit', () => this.#die('the model process ended'))
    // An idle child must not keep this process alive.
    this.#unref()
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#die('closed')
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const exit = new Promise<void>((resolve) => this.#child.once('exit', () => resolve()))
    // Keep this process alive until the child has exited, or nothing awaits this promise.
    this.#ref()
    this.#child.disconnect()
    // A long batch must not delay shutdown.
    await Promise.race([exit, sleep(CLOSE_MS)])
    this.#child.kill('SIGKILL')
  }

  async #read(
    { text, earlier }: ReaderQuestion,
    passages: readonly ReaderPassage[],
    { budgetMs, lane = '' }: { budgetMs?: number; lane?: string } = {},
  ): Promise<Reading[] | undefined> {
    if (this.#states.reader.kind === 'absent' || passages.length === 0) return undefined
    const question = { text, earlier: earlier.slice(-EARLIER_TURNS) }
    const key = readingKey(question, passages)
    const cachedReading = this.#readings.get(key)
    if (cachedReading) return cachedReading
    const request: ModelRequest = { kind: 'read', question, passages }
    const deadline = budgetMs === undefined ? {} : { deadline: performance.now() + budgetMs }
    const coming = this.#ask({ request, lane, ...deadline }, true).then((reply) => {
      if (reply?.kind !== 'readings') return undefined
      this.#readings.set(key, reply.readings)
      return reply.readings
    })
    const readings = await inTime(coming, budgetMs)
    if (!readings) this.#withdraw(request)
    return readings
  }

  /** Removes a request that timed out, so that it does not delay later ones. */
  #withdraw(request: ModelRequest): void {
    const at = this.#urgent.findIndex((job) => job.request === request)
    if (at >= 0) this.#urgent.splice(at, 1)
  }

  async #embed(
    texts: string[],
    { budgetMs, urgent = true, lane = '' }: { budgetMs?: number; urgent?: boolean; lane?: string } = {},
  ): Promise<Vectors> {
    const vectors: Vectors = texts.map((text) => this.#vectors.get(text))
    if (this.#states.embedder.kind === 'absent') return vectors
    const missingTexts = [...new Set(texts.filter((_, i) => vectors[i] === undefined))]
    const coming: Promise<void>[] = []
    for (const text of missingTexts) {
      const promise = this.#coming.get(text)
      if (promise && urgent) this.#prioritise(text)
      if (promise) coming.push(promise.then((vector) => put(text, vector)))
    }
    const fresh = missingTexts.filter((text) => !this.#coming.has(text))
    // One at a time: batching pads short texts to the longest, gains nothing on two cores and delays questions.
    for (const text of fresh) {
      const promise = this.#ask({ request: { kind: 'embed', texts: [text] }, lane }, urgent).then((reply) =>
        this.#store(reply, text, urgent),
      )
      this.#coming.set(text, promise)
      coming.push(promise.then((vector) => put(text, vector)))
    }
    await inTime(Promise.all(coming), budgetMs)
    return [...vectors]

    function put(text: string, vector: Float32Array | undefined) {
      for (const [i, one] of texts.entries()) if (one === text) vectors[i] = vector
    }
  }

  /** Prioritises a queued passage that is now also asked as a question. */
  #prioritise(text: string): void {
    const at = this.#background.findIndex(({ request }) => request.kind === 'embed' && request.texts[0] === text)
    if (at >= 0) this.#urgent.push(...this.#background.splice(at, 1))
  }

  #store(reply: ModelReply | undefined, text: string, urgent: boolean): Float32Array | undefined {
    this.#coming.delete(text)
    if (reply?.kind !== 'vectors') return undefined
    // Questions repeat, passages do not.
    if (urgent) this.#vectors.set(text, reply.vectors)
    return reply.vectors
  }

  #ask(job: Omit<Job, 'done'>, urgent: boolean): Promise<ModelReply | undefined> {
    return new Promise((done) => {
      ;(urgent ? this.#urgent : this.#background).push({ ...job, done })
      queueMicrotask(() => this.#next())
    })
  }

  #next(): void {
    if (this.#running) return
    const job = this.#takeUrgent() ?? this.#background.shift()
    if (!job) return
    if (!this.#child.connected) {
      job.done(undefined)
      this.#next()
      return
    }
    const watchdog = setTimeout(() => this.#child.kill('SIGKILL'), LONGEST_REQUEST_MS).unref()
    this.#running = { job, startedAt: performance.now(), watchdog }
    this.#ref()
    this.#child.send(job.request)
  }

  /** Embeds first, as they take milliseconds. Reads that would miss their deadline are dropped. */
  #takeUrgent(): Job | undefined {
    const embed = this.#urgent.findIndex(({ request }) => request.kind === 'embed')
    if (embed >= 0) return this.#urgent.splice(embed, 1)[0]
    for (;;) {
      const job = this.#takeLane()
      if (!job?.deadline || performance.now() + this.#expectedMs(job) < job.deadline) return job
      // Decay the estimate, or one slow request would cause all later ones to be dropped.
      this.#passageMs *= 0.9
      job.done(undefined)
    }
  }

  /** The first job of the lane that has waited longest for its turn. */
  #takeLane(): Job | undefined {
    let next: Job | undefined
    for (const job of this.#urgent) {
      if (!next || (this.#served.get(job.lane) ?? 0) < (this.#served.get(next.lane) ?? 0)) next = job
    }
    if (!next) {
      this.#served.clear()
      return undefined
    }
    this.#urgent.splice(this.#urgent.indexOf(next), 1)
    this.#served.set(next.lane, ++this.#turns)
    return next
  }

  #expectedMs({ request }: Job): number {
    return request.kind === 'read' ? request.passages.length * this.#passageMs : 0
  }

  #receive(reply: ModelReply): void {
    if (!this.#running) return
    const { job, startedAt, watchdog } = this.#running
    clearTimeout(watchdog)
    this.#running = undefined
    this.#unref()
    if (reply.kind === 'failed') this.#onFailure(reply.reason)
    if (job.request.kind === 'read') {
      const passageMs = (performance.now() - startedAt) / job.request.passages.length
      this.#passageMs += (passageMs - this.#passageMs) * 0.2
    }
    job.done(reply)
    this.#next()
  }

  #ref(): void {
    this.#child.ref()
    this.#child.channel?.ref()
  }

  #unref(): void {
    this.#child.unref()
    this.#child.channel?.unref()
  }

  #die(reason: string): void {
    for (const name of ['embedder', 'reader'] as const) {
      if (this.#states[name].kind === 'ready') this.#states[name] = { kind: 'absent', reason }
    }
    clearTimeout(this.#running?.watchdog)
    const running = this.#running ? [this.#running.job] : []
    const waiting = [...running, ...this.#urgent.splice(0), ...this.#background.splice(0)]
    this.#running = undefined
    for (const job of waiting) job.done(undefined)
  }
}

function stateOf(loadResult: Loaded): ModelState {
  return 'problem' in loadResult
    ? { kind: 'absent', reason: loadResult.problem }
    : { kind: 'ready', model: loadResult.model }
}

/** Covers the reader's entire input, so equal keys mean equal readings, even across tenants. */
function readingKey({ text, earlier }: ReaderQuestion, passages: readonly ReaderPassage[]): string {
  const passageInputs = passages.map(({ title, headings, text: body }) => [title, headings, body])
  return hash('sha256', JSON.stringify([text, earlier, passageInputs]), 'base64')
}

/** Undefined if it takes longer than the budget. */
export function inTime<T>(promise: Promise<T>, budgetMs: number | undefined): Promise<T | undefined> {
  return budgetMs === undefined ? promise : Promise.race([promise, sleep(budgetMs)])
}

function sleep(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ms, undefined).unref())
}
