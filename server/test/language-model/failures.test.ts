import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { answerWithModel } from '../../src/answers/language-model/answer-with-model.ts'
import { defaultModelSettings } from '../../src/answers/language-model/types.ts'
import { expectInOneAttempt } from '../harness/timing.ts'
import { pause, WAIT_TIMEOUT_MS } from '../harness/wait.ts'
import { ask, KEY, kinds, passages } from './ask.ts'
import { anthropic, data, openAi, type Reply, startEvents } from './fake-provider.ts'

const printedLines: unknown[][] = []

beforeEach(() => {
  printedLines.length = 0
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    vi.spyOn(console, method).mockImplementation((...words) => void printedLines.push(words))
  }
})

afterEach(() => {
  vi.restoreAllMocks()
  expect(printedLines).toEqual([])
})

/** Starts an answer and leaves the rest to the test. */
function begins(text: string, then: (response: Parameters<Reply>[0]) => void | Promise<void>): Reply {
  return async (response, { path }) => {
    startEvents(response)
    response.write(path.endsWith('/messages') ? anthropic.start(50) + anthropic.delta(text) : openAi.delta(text))
    await pause(20)
    await then(response)
  }
}

describe.each(kinds)('%s', (kind) => {
  test.each([
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [404, 'not_found'],
    [400, 'bad_request'],
    [500, 'provider_error'],
    [529, 'provider_error'],
  ])('status %i is %s, at no cost and without the provider’s message', async (status, failure) => {
    const { result } = await ask(kind, (response) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: `bad key ${KEY}`, type: 'some_error', code: KEY } }))
    })
    expect(result).toEqual({
      failed: failure,
      status,
      code: 'some_error',
      retryAfterMs: null,
      partial: false,
      text: '',
      usedPassages: [],
      usage: { inputTokens: 0, outputTokens: 0, estimated: false },
    })
  })

  test('status 429 gives the retry time, in seconds or as a date, and is not retried', async () => {
    const { result, provider } = await ask(kind, (response) => {
      response.writeHead(429, { 'retry-after': '7' }).end('slow down')
    })
    expect(result).toMatchObject({ failed: 'rate_limited', status: 429, retryAfterMs: 7000, code: null })
    expect(provider.requests.length).toBe(1)
    const dated = await ask(kind, (response) => {
      const headers = { date: 'Sun, 15 Nov 2026 10:00:00 GMT', 'retry-after': 'Sun, 15 Nov 2026 10:01:00 GMT' }
      response.writeHead(429, headers).end()
    })
    expect(dated.result).toMatchObject({ retryAfterMs: 60_000 })
  })

  test('an endless error page is not read to its end', async () => {
    const { result, provider } = await ask(kind, (response) => {
      response.writeHead(500)
      const timer = setInterval(() => response.write('x'.repeat(5000)), 1)
      response.on('close', () => clearInterval(timer))
    })
    expect(result).toMatchObject({ failed: 'provider_error', code: null })
    await expect.poll(provider.closedEarly).toBe(1)
  })

  test('a redirect is not followed, so the key is not sent elsewhere', async () => {
    const { result, provider } = await ask(kind, (response, { path }) => {
      response.writeHead(307, { location: `${path}/elsewhere` }).end()
    })
    expect(result).toMatchObject({ failed: 'bad_request', status: 307 })
    expect(provider.requests.length).toBe(1)
  })

  test.each(['text/html', 'application/json'])('content of type %s is a broken response', async (type) => {
    const { result } = await ask(kind, (response) => {
      response.writeHead(200, { 'content-type': type }).end('<html>Please log in</html>')
    })
    expect(result).toMatchObject({ failed: 'broken_response', status: 200, partial: false })
  })

  test('invalid JSON at the start is a broken response', async () => {
    const { result } = await ask(kind, (response) => {
      startEvents(response)
      response.end('data: {"choices": [oh no\n\n')
    })
    expect(result).toMatchObject({ failed: 'broken_response', partial: false })
  })

  test('invalid JSON in the middle is a broken response, and the text shown so far is reported', async () => {
    const { result, shownText } = await ask(
      kind,
      begins('Three days [1] at ', (response) => void response.end('data: {oh no\n\n')),
    )
    expect(result).toMatchObject({ failed: 'broken_response', partial: true, text: 'Three days at', usedPassages: [1] })
    expect(result.usage).toMatchObject({ estimated: true })
    expect(shownText).toBe('Three days at')
  })

  test('events in another format are a broken response', async () => {
    const { result } = await ask(kind, (response) => {
      startEvents(response)
      response.end(data({ type: 'message_start', choices: 'none' }))
    })
    expect(result).toMatchObject({ failed: 'broken_response' })
  })

  test('an error reported within the stream is a provider error', async () => {
    const { result } = await ask(kind, (response, { path }) => {
      startEvents(response)
      response.end(
        path.endsWith('/messages')
          ? anthropic.start(5) + anthropic.error('overloaded_error', `overloaded ${KEY}`)
          : data({ error: { message: `overloaded ${KEY}`, type: 'overloaded', code: 503 } }),
      )
    })
    expect(result).toMatchObject({ failed: 'provider_error' })
    expect(JSON.stringify(result)).not.toContain(KEY)
  })

  test('a stream that ends halfway counts as interrupted', async () => {
    const { result } = await ask(
      kind,
      begins('Three days [1] at ', (response) => void response.end()),
    )
    expect(result).toMatchObject({ failed: 'interrupted', partial: true, text: 'Three days at' })
  })

  test('a partial answer without its citation shows no text', async () => {
    const { result, shownText } = await ask(
      kind,
      begins('Three days ', (response) => void response.end()),
    )
    expect(result).toMatchObject({ failed: 'interrupted', partial: false, text: '' })
    expect(shownText).toBe('')
  })

  test('an empty stream counts as interrupted', async () => {
    const { result } = await ask(kind, (response) => {
      startEvents(response)
      response.end()
    })
    expect(result).toMatchObject({ failed: 'interrupted', partial: false })
  })

  test('a reset connection counts as interrupted', async () => {
    const { promise: firstText, resolve: onText } = Promise.withResolvers<void>()
    const { result } = await ask(
      kind,
      begins('Three days [1] at ', async (response) => {
        await firstText
        response.destroy()
      }),
      {},
      { onText },
    )
    expect(result).toMatchObject({ failed: 'interrupted', partial: true })
  })

  test('a connection that is refused, or reset before any response, is a connection failure', async () => {
    const reset = await ask(kind, (response) => void response.destroy())
    expect(reset.result).toMatchObject({ failed: 'connection', partial: false })
    const refusal = await ask(kind, () => {}, {
      settings: { provider: { kind, baseUrl: 'http://127.0.0.1:1', apiKey: KEY, model: 'm' } },
    })
    expect(refusal.result).toMatchObject({ failed: 'connection', usage: { inputTokens: 0 } })
  })

  test('a late first token is a timeout', async () => {
    await expectInOneAttempt(async (attempt) => {
      const settings = { firstTokenTimeoutMs: 20 * 3 ** attempt }
      const { result, provider } = await ask(kind, () => {}, { settings })
      expect(result).toMatchObject({ failed: 'first_token_timeout', partial: false })
      expect(provider.requests).toHaveLength(1)
      await expect.poll(provider.closedEarly).toBe(1)
    })
  })

  test('events without a token do not count as a first token', async () => {
    const { result } = await ask(
      kind,
      (response) => {
        startEvents(response)
        const timer = setInterval(() => response.write(': still here\n\n'), 5)
        response.on('close', () => clearInterval(timer))
      },
      { settings: { firstTokenTimeoutMs: 80 } },
    )
    expect(result).toMatchObject({ failed: 'first_token_timeout' })
  })

  test('a slow answer is cut off at the total time limit, and the connection is closed', async () => {
    await expectInOneAttempt(async (attempt) => {
      const settings = { firstTokenTimeoutMs: WAIT_TIMEOUT_MS, timeoutMs: 100 * 3 ** attempt }
      const reply = begins('Three days [1] at ', () => {})
      const { result, shownText, provider } = await ask(kind, reply, { settings })
      expect(result).toMatchObject({ failed: 'timeout', partial: true, text: 'Three days at' })
      expect(shownText).toBe('Three days at')
      await expect.poll(provider.closedEarly).toBe(1)
    })
  })

  test('a slow answer within the time limit is accepted', async () => {
    const { result } = await ask(kind, async (response, { path }) => {
      startEvents(response)
      const isAnthropic = path.endsWith('/messages')
      if (isAnthropic) response.write(anthropic.start(5))
      for (const delta of ['Three', ' days', ' [1', '].']) {
        response.write(isAnthropic ? anthropic.delta(delta) : openAi.delta(delta))
        await pause(15)
      }
      response.end(isAnthropic ? anthropic.end(4) : openAi.finish() + openAi.done)
    })
    expect(result).toMatchObject({ text: 'Three days.', outcome: 'answered' })
  })

  test('the caller can abort before and during the call', async () => {
    const before = await ask(kind, () => {}, {}, { signal: AbortSignal.abort() })
    expect(before.result).toMatchObject({ failed: 'aborted', usage: { inputTokens: 0 } })
    expect(before.provider.requests).toEqual([])
    const controller = new AbortController()
    const during = await ask(
      kind,
      begins('Three days [1] at ', () => {}),
      {},
      { signal: controller.signal, onText: () => controller.abort() },
    )
    expect(during.result).toMatchObject({ failed: 'aborted', partial: true })
    await expect.poll(during.provider.closedEarly).toBe(1)
  })

  test('an endless answer is cut off and the connection is closed', async () => {
    const { result, shownText, provider } = await ask(
      kind,
      begins('Yes [1] ', (response) => {
        const more = 'more '.repeat(50)
        const timer = setInterval(
          () => response.write(kind === 'anthropic' ? anthropic.delta(more) : openAi.delta(more)),
          1,
        )
        response.on('close', () => clearInterval(timer))
      }),
      { settings: { maxCharacters: 2000 } },
    )
    expect(result).toMatchObject({ failed: 'too_long', partial: true })
    expect(shownText.length).toBeLessThanOrEqual(2000)
    await expect.poll(provider.closedEarly).toBe(1)
  })

  test('an endless line and endless reasoning are cut off', async () => {
    const line = await ask(kind, (response) => {
      startEvents(response)
      response.write('data: ')
      const timer = setInterval(() => response.write('x'.repeat(60_000)), 1)
      response.on('close', () => clearInterval(timer))
    })
    expect(line.result).toMatchObject({ failed: 'too_long', partial: false })
    const noise = await ask(kind, (response) => {
      startEvents(response)
      const timer = setInterval(() => response.write(`: ${'x'.repeat(1000)}\n\n`.repeat(500)), 1)
      response.on('close', () => clearInterval(timer))
    })
    expect(noise.result).toMatchObject({ failed: 'too_long' })
  })

  test('one huge delta is cut off', async () => {
    const { result } = await ask(
      kind,
      begins('Yes [1]. ', (response) => {
        const huge = '[ '.repeat(50_000)
        response.end(kind === 'anthropic' ? anthropic.delta(huge) : openAi.delta(huge))
      }),
    )
    expect(result).toMatchObject({ failed: 'too_long', partial: true, text: 'Yes.' })
  })

  test.each([
    ['no model', { model: ' ' }],
    ['a key that is no header value', { apiKey: 'sk\nsecret' }],
    ['no address', { baseUrl: 'shop' }],
    ['a file', { baseUrl: 'file:///etc/passwd' }],
    ['a password in the address', { baseUrl: 'http://user:secret@127.0.0.1/v1' }],
  ])('settings with %s are misconfigured', async (_, change) => {
    const provider = { kind, baseUrl: 'http://127.0.0.1:1', apiKey: KEY, model: 'm', ...change }
    const { result } = await ask(kind, () => {}, { settings: { provider } })
    expect(result).toMatchObject({ failed: 'misconfigured' })
    expect(JSON.stringify(result)).not.toContain('secret')
  })
})

test.each([
  ['a fetch', () => new Promise<Response>(() => {}), 'first_token_timeout'],
  ['a body', async () => neverEnding(openAi.delta('Three days [1] at')), 'timeout'],
  ['a silent body', async () => neverEnding(': hello\n\n'), 'first_token_timeout'],
])('%s that ignores its abort signal does not keep the visitor waiting', async (_, fetch, failure) => {
  for (const kind of kinds) {
    const result = await answerWithModel(
      {
        question: 'q',
        language: null,
        history: [],
        passages,
        products: [],
        bot: { name: 'Ada', tone: null },
        settings: {
          ...defaultModelSettings,
          firstTokenTimeoutMs: failure === 'timeout' ? WAIT_TIMEOUT_MS : 50,
          timeoutMs: 200,
          provider: { kind, baseUrl: 'http://model.example', apiKey: 'k', model: 'm' },
        },
      },
      { fetch },
    )
    if (kind === 'openai_compatible') expect(result).toMatchObject({ failed: failure })
    else expect(result).toHaveProperty('failed')
  }
})

function neverEnding(text: string): Response {
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(text)) })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

test('an error as the first event is not retried', async () => {
  const { result, provider } = await ask('anthropic', (response) => {
    startEvents(response)
    response.end(anthropic.error('overloaded_error', 'Overloaded'))
  })
  expect(result).toMatchObject({ failed: 'provider_error', status: 529, partial: false })
  expect(provider.requests.length).toBe(1)
})

test('an answer stopped by a content filter counts as refused', async () => {
  const { result } = await ask('openai_compatible', (response) => {
    startEvents(response)
    response.end(openAi.delta('Yes') + openAi.finish('content_filter') + openAi.done)
  })
  expect(result).toMatchObject({ failed: 'refused', partial: false })
})
