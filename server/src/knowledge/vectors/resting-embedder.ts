// An embedder that is there at once, starts its model in the background, lets it go when nobody has asked for a while
// (a model holds some 200 MB), and starts it again when somebody does.
import { absent, type Embedder } from './embedder.ts'

interface Options {
  start: () => Promise<Embedder>
  restAfterMs: number
  /** Told once, when the first start has shown whether there is a model. */
  onStarted: (embedder: Embedder) => void
}

export function restingEmbedder({ start, restAfterMs, onStarted }: Options): Embedder {
  let state: Embedder['state'] = { kind: 'absent', reason: 'the model is still starting' }
  let awake: Promise<Embedder> | null = null
  let timer: NodeJS.Timeout | undefined
  let underWay = 0
  let closed = false

  function wake(): Promise<Embedder> {
    awake ??= start().then((started) => {
      state = started.state
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

  void wake().then((started) => {
    if (closed) return
    restLater()
    onStarted(started)
  })

  return {
    get model() {
      return state.kind === 'ready' ? state.model : null
    },
    get state() {
      return state
    },
    async embed(texts, options = {}) {
      if (closed || (state.kind === 'absent' && !awake)) return texts.map(() => undefined)
      underWay++
      try {
        const ready = await inTime(wake(), options.budgetMs)
        // A process that died is started anew for the next one who asks.
        if (ready?.state.kind === 'absent' && state.kind === 'ready') awake = null
        return ready ? await ready.embed(texts, options) : texts.map(() => undefined)
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
