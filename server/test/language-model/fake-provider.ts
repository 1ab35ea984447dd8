// A real HTTP server on loopback that speaks both wire formats, correctly or not, as the test defines.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface SentRequest {
  path: string
  headers: IncomingHttpHeaders
  raw: string
  body: {
    model: string
    stream: boolean
    stream_options?: unknown
    max_tokens?: number
    temperature?: number
    system?: { text: string }[]
    messages: { role: string; content: string | { text: string }[] }[]
    tools?: { name?: string; function?: { name: string } }[]
  }
}

export type Reply = (response: ServerResponse, request: SentRequest) => void | Promise<void>

export async function startFakeProvider(reply: Reply) {
  const requests: SentRequest[] = []
  let closedEarly = 0
  const server = createServer(async (request, response) => {
    let raw = ''
    for await (const chunk of request) raw += chunk
    const sentRequest = { path: request.url ?? '', headers: request.headers, raw, body: JSON.parse(raw) }
    requests.push(sentRequest)
    response.on('close', () => {
      if (!response.writableFinished) closedEarly++
    })
    await reply(response, sentRequest)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1`, requests, closedEarly: () => closedEarly }
}

export function startEvents(response: ServerResponse) {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
}

export const openAi = {
  delta: (content: string, field = 'content') =>
    data({
      id: 'c1',
      object: 'chat.completion.chunk',
      model: 'm',
      choices: [{ index: 0, delta: { [field]: content } }],
    }),
  /** In two pieces, as providers send them. */
  tool: (index: number, name: string, json: string) =>
    [
      { index, id: `call_${index}`, type: 'function', function: { name, arguments: json.slice(0, 3) } },
      { index, function: { arguments: json.slice(3) } },
    ]
      .map((part) => data({ id: 'c1', choices: [{ index: 0, delta: { tool_calls: [part] } }] }))
      .join(''),
  finish: (reason = 'stop') => data({ id: 'c1', choices: [{ index: 0, delta: {}, finish_reason: reason }] }),
  usage: (input: number, output: number) =>
    data({
      id: 'c1',
      choices: [],
      usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
    }),
  done: 'data: [DONE]\n\n',
}

export const anthropic = {
  start: (input: number) =>
    event('message_start', {
      message: {
        id: 'm1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        usage: { input_tokens: input, output_tokens: 1 },
      },
    }) + event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  delta: (text: string) => event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
  tool: (index: number, name: string, json: string) =>
    event('content_block_stop', { index: index - 1 }) +
    event('content_block_start', { index, content_block: { type: 'tool_use', id: `tool_${index}`, name, input: {} } }) +
    [json.slice(0, 3), json.slice(3)]
      .map((partial_json) => event('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json } }))
      .join('') +
    event('content_block_stop', { index }),
  end: (output: number, reason = 'end_turn') =>
    event('content_block_stop', { index: 0 }) +
    event('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: output } }) +
    event('message_stop', {}),
  error: (type: string, message: string) => event('error', { error: { type, message } }),
}

/** Calls a tool whose name contains this, perhaps after a text; says something else where none is offered. */
export function callsTool(name: string, inputs: unknown, { before = '', otherwise = '@@ not found' } = {}): Reply {
  return (response, request) => {
    const tool = toolNames(request).find((toolName) => toolName.includes(name))
    if (tool === undefined) return says(otherwise)(response, request)
    return callsTools([{ name: tool, json: JSON.stringify(inputs) }], before)(response, request)
  }
}

/** Calls tools, offered or not, in one reply. */
export function callsTools(calls: { name: string; json: string }[], before = ''): Reply {
  return (response, { path }) => {
    startEvents(response)
    if (path.endsWith('/messages')) {
      const blocks = calls.map(({ name, json }, at) => anthropic.tool(at + 1, name, json))
      const text = before === '' ? '' : anthropic.delta(before)
      response.end(anthropic.start(120) + text + blocks.join('') + anthropic.end(30, 'tool_use'))
    } else {
      const chunks = calls.map(({ name, json }, at) => openAi.tool(at, name, json))
      const text = before === '' ? '' : openAi.delta(before)
      response.end(text + chunks.join('') + openAi.finish('tool_calls') + openAi.usage(120, 30) + openAi.done)
    }
  }
}

export function toolNames({ body }: SentRequest): string[] {
  return (body.tools ?? []).map((tool) => tool.function?.name ?? tool.name ?? '')
}

/** A complete, valid answer in the format of the request. */
export function says(...deltas: string[]): Reply {
  return (response, { path }) => {
    startEvents(response)
    if (path.endsWith('/messages')) {
      response.end(anthropic.start(120) + deltas.map(anthropic.delta).join('') + anthropic.end(30))
    } else {
      const text = deltas.map((delta) => openAi.delta(delta)).join('')
      response.end(text + openAi.finish() + openAi.usage(120, 30) + openAi.done)
    }
  }
}

export function data(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

function event(type: string, value: object): string {
  return `event: ${type}\n${data({ type, ...value })}`
}
