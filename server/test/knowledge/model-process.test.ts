// The process that runs the models: slow, hung, crashed and damaged models block nobody.
import type { ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ModelProcess, type ModelReply, type ModelRequest } from '../../src/inference/model-process-owner.ts'
import type { ReaderPassage } from '../../src/inference/reader-input.ts'
import { makeTokenizer } from '../../src/inference/wordpiece.ts'

const READ_MS = 60

/** Replies like the model process, but slowly, and records the requests. */
function startModel(reply: (request: ModelRequest) => ModelReply | null = replyTo) {
  const requests: ModelRequest[] = []
  const child = Object.assign(new EventEmitter(), {
    connected: true,
    exitCode: null as number | null,
    signalCode: null,
    ref() {},
    unref() {},
    disconnect: () => end(),
    kill: () => end(),
    send(request: ModelRequest) {
      requests.push(request)
      const answer = reply(request)
      if (answer) setTimeout(() => child.emit('message', answer), request.kind === 'read' ? READ_MS : 2)
    },
  })
  function end() {
    child.connected = false
    child.exitCode = 0
    child.emit('exit', 0)
    return true
  }
  const failures: string[] = []
  const names = { embedder: { model: 'e' }, reader: { model: 'r' } }
  const models = new ModelProcess(child as unknown as ChildProcess, names, (reason) => failures.push(reason))
  return { models, requests, failures, end }
}

function replyTo(request: ModelRequest): ModelReply {
  if (request.kind === 'embed')
    return { kind: 'vectors', dimensions: 1, vectors: new Float32Array(request.texts.length).fill(1) }
  return { kind: 'readings', readings: request.passages.map(() => ({ relevance: 1, polarity: 0, span: null })) }
}

const passage = (text: string, headings: string[] = []): ReaderPassage => ({ title: 'Page', headings, text })
const ask = (text: string) => ({ text, earlier: [] })

test('under overload, started readings finish in time, and no vector waits behind them', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { models, requests } = startModel()
  const first = models.reader.read(ask('first'), [passage('x')])
  await vi.advanceTimersByTimeAsync(READ_MS)
  await first
  const readPromises = Array.from({ length: 10 }, (_, i) =>
    models.reader.read(ask(`question ${i}`), [passage('x')], { budgetMs: 4 * READ_MS }),
  )
  const vectors = models.embedder.embed(['text'], { budgetMs: 2 * READ_MS })
  await vi.advanceTimersByTimeAsync(7 * READ_MS)
  expect((await vectors)[0]).toBeDefined()
  const inTime = (await Promise.all(readPromises)).filter(Boolean).length
  expect(inTime).toBeGreaterThanOrEqual(2)
  // Readings that could not finish in time were not started.
  expect(requests.filter(({ kind }) => kind === 'read').length).toBeLessThanOrEqual(1 + inTime + 1)
})

test('a question whose text is queued for indexing overtakes the queue, and is embedded once', async () => {
  const { models, requests } = startModel()
  const texts = Array.from({ length: 5 }, (_, i) => `text ${i}`)
  const embeddings = models.embedder.embed(texts, { urgent: false })
  expect((await models.embedder.embed(['text 4']))[0]).toBeDefined()
  expect((await embeddings).every(Boolean)).toBe(true)
  const order = requests.map((request) => request.kind === 'embed' && request.texts[0])
  expect(order.indexOf('text 4')).toBeLessThan(2)
  expect(order).toHaveLength(5)
})

test('the same question on the same passages is read once, a similar one is read again', async () => {
  const { models, requests } = startModel()
  await models.reader.read(ask('how long?'), [passage('Free returns\nYou have 30 days.')])
  await models.reader.read(ask('how long?'), [passage('Free returns\nYou have 30 days.')])
  expect(requests).toHaveLength(1)
  await models.reader.read(ask('how long?'), [passage('You have 30 days.', ['Free returns'])])
  expect(requests).toHaveLength(2)
})

test('when the process ends, all pending requests are answered, it is unavailable from then on, and closes at once', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { models, end } = startModel()
  const reads = [models.reader.read(ask('a'), [passage('x')]), models.reader.read(ask('b'), [passage('x')])]
  await vi.advanceTimersByTimeAsync(5)
  end()
  expect(await Promise.all(reads)).toEqual([undefined, undefined])
  expect(models.reader.state).toMatchObject({ kind: 'absent' })
  expect(await models.embedder.embed(['text'])).toEqual([undefined])
  // Timers do not advance here, so a pending wait would never end.
  await models.close()
})

test('a request that fails is reported, and the next one is answered', async () => {
  const { models, failures } = startModel((request) =>
    request.kind === 'read' ? { kind: 'failed', reason: 'out of memory' } : replyTo(request),
  )
  expect(await models.reader.read(ask('a'), [passage('x')])).toBeUndefined()
  expect(failures).toEqual(['out of memory'])
  expect((await models.embedder.embed(['text']))[0]).toBeDefined()
})

test('words of any length become one token, and tokens of a normalised word span all of it', () => {
  const tokenize = makeTokenizer(['[UNK]', 'cafe', '##s'])
  expect(tokenize('x'.repeat(5000)).ids).toEqual([0])
  expect(tokenize('Cafe\u0301s')).toEqual({ ids: [1, 2], starts: [0, 0], ends: [6, 6] })
})
