// Converts an OpenAI chat completion request into a message to the bot and its history.
import {
  ANY_MODEL,
  type ChatCompletionRequest,
  type ChatRequest,
  type CompletionMessage,
  Fault,
  MESSAGE_LENGTH,
} from '@docent/contract'
import type { Turn } from '../../../answers/types.ts'
import { withoutSourceLinks } from '../../source-links.ts'

interface BotRequest {
  chatRequest: ChatRequest
  history: Turn[]
}

export function readCompletionRequest(body: ChatCompletionRequest, botId: string): BotRequest {
  refuseUnsupported(body as Record<string, unknown>)
  if (body.model !== botId && body.model !== ANY_MODEL) throw new Fault('model_not_found')
  const last = body.messages.findLastIndex(({ role }) => role === 'user')
  const path = `messages.${last}.content`
  const asked = body.messages[last]
  if (!asked) throw invalid('messages', 'Add a message with the role user.')
  if (Array.isArray(asked.content) && asked.content.some(({ type }) => type !== 'text'))
    throw invalid(path, 'Use text only. Bots do not read images, audio or files.')
  const message = textOf(asked).trim()
  if (message === '') throw invalid(path, 'This field must not be empty.')
  if (message.length > MESSAGE_LENGTH) throw invalid(path, `Use at most ${MESSAGE_LENGTH} characters.`)
  const { session_id, metadata, stream } = body
  const user_id = body.user ?? body.safety_identifier
  return {
    chatRequest: {
      ...{ bot_id: botId, message },
      ...(session_id === undefined ? {} : { session_id }),
      ...(user_id === undefined ? {} : { user_id }),
      ...(metadata === undefined ? {} : { metadata }),
      ...(stream === undefined ? {} : { stream }),
    },
    history: body.messages.slice(0, last).flatMap(toTurn),
  }
}

/** Ignoring these would return something other than what the caller asked for. */
function refuseUnsupported({ tool_choice, function_call, response_format, logprobs, modalities }: Json) {
  const isForced = (choice: unknown) => choice !== undefined && choice !== 'none' && choice !== 'auto'
  if (isForced(tool_choice)) throw invalid('tool_choice', 'Use none or auto. Bots do not call tools.')
  if (isForced(function_call)) throw invalid('function_call', 'Use none or auto. Bots do not call functions.')
  const format = response_format as { type?: unknown } | undefined
  if (format !== undefined && format.type !== 'text') throw invalid('response_format', 'Use the type text.')
  if (logprobs === true) throw invalid('logprobs', 'Use false. Bots have no log probabilities.')
  if (Array.isArray(modalities) && modalities.some((one) => one !== 'text'))
    throw invalid('modalities', 'Use text only.')
}

type Json = Record<string, unknown>

function toTurn(message: CompletionMessage): Turn[] {
  const { role } = message
  if (role !== 'user' && role !== 'assistant') return []
  const said = textOf(message).slice(0, MESSAGE_LENGTH)
  const text = role === 'assistant' ? withoutSourceLinks(said) : said
  return text.trim() === '' ? [] : [{ role, text }]
}

function textOf({ content }: CompletionMessage): string {
  if (!Array.isArray(content)) return content ?? ''
  return content.flatMap(({ type, text }) => (type === 'text' && text ? [text] : [])).join('\n')
}

function invalid(path: string, message: string): Fault {
  return new Fault('validation_failed', { details: [{ path, message }] })
}
