// An embedder that is there at once, starts its model in the background, lets it go when nobody has asked for a while
// (a model holds some 200 MB), and starts it again when somebody does.
import { absent, type Embedder } from './embedder.ts'

// A visitor who wakes the model waits a little longer than others, rather than getting the lesser answer.
const WAKE_BUDGET_MS = 800
const RETRY_AFTER_MS = 30_000

interface Options {
  start: () => Promise<Embedder>
  restAfterMs: number
  /** Told whenever a model has started, and once when there is none. */
  onStarted: (embedder: Embedder) => void
}

export function restingEmbedder({ start, restAfterMs, onStarted }: Options): Embedder {
  let state: Embedder['state'] = { kind: 'absent', reason: 'the model is still starting', isStarting: true }
  let awake: Promise<Embedder> | null = null
  let timer: NodeJS.Timeout | undefined
  let triedAt = 0
  let underWay = 0
  let closed = false

  function wake(): Promise<Embedder> {
    awake ??= start()
      .catch((error) => absent(String(error)))
      .then((started) => {
        triedAt = performance.now()
        // A model that was there once may come back: only the first start decides that there is none.
        if (state.kind === 'absent') state = started.state
        if (!closed) onStarted(started)
        return started
      })
    return awake
  }

  function restLater() {
    clearTimeout(timer)
    timer = setTimeout(async () => {
      if (underWay > 0 || !awake) return
      const resting = awake
      awake = null
      await (await resting).close()
    }, restAfterMs).unref()
  }

  /** The model, awake; undefined when it cannot be had in time. */
  async function ready(budgetMs: number | undefined): Promise<Embedder | undefined> {
    const woken = await inTime(wake(), budgetMs === undefined ? undefined : WAKE_BUDGET_MS)
    if (woken?.state.kind !== 'absent') return woken
    // It ended or did not start: tried again, but not with every question.
    if (state.kind === 'ready' && performance.now() - triedAt > RETRY_AFTER_MS) awake = null
    return undefined
  }

  void wake().then(restLater)

  return {
    get model() {
      return state.kind === 'ready' ? state.model : null
    },
    get state() {
      return state
    },
    async embed(texts, options = {}) {
      if (closed || state.kind === 'absent') return texts.map(() => undefined)
      underWay++
      try {
        const embedder = await ready(options.budgetMs)
        return embedder ? await embedder.embed(texts, options) : texts.map(() => undefined)
      } finally {
        underWay--
        restLater()
      }
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await (await awake)?.close()
      state = absent('closed').state
    },
  }
}

async function inTime<T>(promise: Promise<T>, budgetMs: number | undefined): Promise<T | undefined> {
  if (budgetMs === undefined) return promise
  const late = new Promise<undefined>((resolve) => {
    setTimeout(resolve, budgetMs, undefined).unref()
  })
  return Promise.race([promise, late])
}
