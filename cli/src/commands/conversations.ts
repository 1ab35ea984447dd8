import { open } from 'node:fs/promises'
import type { Conversation, ConversationMessage, ConversationSummary, QueryOf, Routes } from '@docent/contract'
import { DocentError } from '@docent/sdk'
import {
  type Command,
  type CommandInput,
  OK,
  requireWord,
  type Terminal,
  text,
  UsageError,
  wholeNumber,
} from '../command.ts'
import { BOT_USAGE, botOptions, type Server, serverOf } from '../server.ts'

type Query = QueryOf<Routes['GET /api/manage/v1/bots/{botId}/conversations']>

const SHOWN = 20
const PER_PAGE = 100
const OLDER_AT_ONCE = 200

export const conversations: Command = {
  name: 'conversations',
  summary: 'list, show and export conversations',
  usage: `[show <conversation id> | export [<file>]] --bot <id>

"export" writes one JSON object a line for each conversation, with all its messages, to the file or the terminal.

  --channel <channel>  api or widget
  --status <status>    bot, open, snoozed or resolved
  --unanswered         only those whose last question got no answer, or one of low confidence
  --since <time>       only those that began since then, such as 2026-11-16
  --until <time>       only those that began before
  --search <text>      only those with this text in a message
  --limit <number>     how many to list, newest first; default: ${SHOWN}
${BOT_USAGE}`,
  options: {
    ...botOptions,
    channel: { type: 'string' },
    status: { type: 'string' },
    unanswered: { type: 'boolean' },
    since: { type: 'string' },
    until: { type: 'string' },
    search: { type: 'string' },
    limit: { type: 'string' },
  },

  async run(input, terminal) {
    const [action = 'list', ...words] = input.positionals
    const server = serverOf(input, terminal)
    switch (action) {
      case 'list': {
        const most = wholeNumber(input, 'limit', 1) ?? SHOWN
        const items: ConversationSummary[] = []
        for await (const item of conversationsOf(server, filtersOf(input))) {
          items.push(item)
          if (items.length === most) break
        }
        for (const { id, updated_at, channel, status, message_count, last_message } of items)
          terminal.say(
            `${id}  ${updated_at}  ${channel}, ${status}, ${message_count} messages  ${last_message?.text ?? ''}`,
          )
        terminal.result(items)
        return OK
      }
      case 'show': {
        const conversation = await readWhole(server, requireWord(input, 'the id of the conversation'))
        const { id, channel, status, created_at, messages } = conversation
        terminal.say(`${id}  ${created_at}  ${channel}, ${status}`)
        for (const message of messages) sayMessage(terminal, message)
        terminal.result(conversation)
        return OK
      }
      case 'export': {
        if (words.length > 1) throw new UsageError('Give at most one file.')
        return exportAll(server, terminal, filtersOf(input), words[0])
      }
      default:
        throw new UsageError(`Unknown command "docent conversations ${action}".`)
    }
  },
}

async function exportAll(server: Server, terminal: Terminal, filters: Query, path: string | undefined) {
  // Of people, so not for others on this machine to read.
  const file = path === undefined ? null : await open(path, 'wx', 0o600).catch(explainPath(path))
  const bar = terminal.progress()
  const output = file ? null : terminal.list()
  let count = 0
  try {
    for await (const { id } of conversationsOf(server, filters)) {
      const conversation = await readWhole(server, id).catch(nullIfErased)
      if (!conversation) continue
      bar.show(++count, count, 'conversations')
      if (file) await file.write(`${JSON.stringify(conversation)}\n`)
      output?.add(conversation)
    }
  } finally {
    bar.end()
    output?.end()
    await file?.close()
  }
  if (file) {
    terminal.say(`${path}: ${count} conversations`)
    terminal.result({ file: path, conversations: count })
  }
  return OK
}

/** It was listed, and erased before it was read. */
function nullIfErased(error: unknown): null {
  if (error instanceof DocentError && error.status === 404) return null
  throw error
}

function explainPath(path: string) {
  return (error: NodeJS.ErrnoException): never => {
    throw new Error(error.code === 'EEXIST' ? `${path} already exists. Choose another file.` : error.message)
  }
}

async function* conversationsOf({ client, botId }: Server, filters: Query): AsyncGenerator<ConversationSummary> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = { ...filters, limit: PER_PAGE, ...(cursor === undefined ? {} : { cursor }) }
    const route = 'GET /api/manage/v1/bots/{botId}/conversations'
    const page: { items: ConversationSummary[]; next_cursor: string | null } = await client.request(route, {
      params: { botId },
      query,
    })
    yield* page.items
    cursor = page.next_cursor
  }
}

/** With all messages: the API gives the newest, and older ones on request. */
async function readWhole({ client, botId }: Server, conversationId: string): Promise<Conversation> {
  const params = { botId, conversationId }
  const conversation = await client.request('GET /api/manage/v1/bots/{botId}/conversations/{conversationId}', {
    params,
  })
  const { messages } = conversation
  for (let hasMore = conversation.has_more; hasMore; ) {
    const query = { limit: OLDER_AT_ONCE, ...(messages[0] ? { before: messages[0].id } : {}) }
    const route = 'GET /api/manage/v1/bots/{botId}/conversations/{conversationId}/messages'
    const older = await client.request(route, { params, query })
    messages.unshift(...older.messages)
    hasMore = older.has_more && older.messages.length > 0
  }
  return { ...conversation, has_more: false }
}

function sayMessage(terminal: Terminal, { role, agent_name, text, created_at, sources }: ConversationMessage) {
  terminal.say(`\n${created_at}  ${agent_name ?? role}`)
  terminal.say(text)
  for (const { title, url } of sources) terminal.say(`  ${title}: ${url}`)
}

function filtersOf(input: CommandInput): Query {
  const [channel, status, search] = [text(input, 'channel'), text(input, 'status'), text(input, 'search')]
  return {
    // The server names the values that it takes.
    ...(channel ? { channel: channel as 'api' } : {}),
    ...(status ? { status: status as 'open' } : {}),
    ...(input.values.unanswered ? { unanswered: true } : {}),
    ...(search ? { q: search } : {}),
    ...timeOf(input, 'since'),
    ...timeOf(input, 'until'),
  }
}

function timeOf(input: CommandInput, name: 'since' | 'until') {
  const value = text(input, name)
  if (value === undefined) return {}
  if (Number.isNaN(Date.parse(value))) throw new UsageError(`--${name} must be a time.`)
  return { [name]: new Date(value).toISOString() }
}
