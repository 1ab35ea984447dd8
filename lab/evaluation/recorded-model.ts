// A language model whose replies are stored by the hash of their prompt, so that an evaluation needs no provider and can be
// repeated. Prompts without a reply are collected, for any model or a careful person to answer.
import { hash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { answerWithModel } from '../../server/src/answers/language-model/answer-with-model.ts'
import { restateQuestion } from '../../server/src/answers/language-model/restate-question.ts'
import { defaultModelSettings, type ModelSettings } from '../../server/src/answers/language-model/types.ts'
import { wordResult } from '../../server/src/answers/language-model/word-result.ts'
import type { AnswerModel } from '../../server/src/answers/types.ts'

/** One line of a file with replies. */
export interface RecordedReply {
  hash: string
  prompt: { role: string; content: string }[]
  /** Empty until somebody answers. */
  reply: string
}

/** A question cannot be answered as the model would, nor those that follow it. */
export class MissingReply extends Error {}

export interface RecordedModel extends AnswerModel {
  /** Prompts without a reply so far. */
  missing(): RecordedReply[]
}

const MISSING_STATUS = 404

const settings: ModelSettings = {
  ...defaultModelSettings,
  provider: { kind: 'openai_compatible', baseUrl: 'http://recorded.invalid/v1', apiKey: null, model: 'recorded' },
}

export function openRecordedModel(files: readonly string[]): RecordedModel {
  const replies = new Map(files.flatMap(readReplies).map(({ hash: key, reply }) => [key, reply]))
  const missing = new Map<string, RecordedReply>()

  /** Stands in for the provider, so that everything between prompt and visitor is the service's own code. */
  const fetch: typeof globalThis.fetch = async (_, init) => {
    const { messages } = JSON.parse(String(init?.body)) as { messages: RecordedReply['prompt'] }
    const key = hashOf(messages)
    const reply = replies.get(key)
    if (reply) return new Response(toEvents(reply), { headers: { 'content-type': 'text/event-stream' } })
    missing.set(key, { hash: key, prompt: messages, reply: '' })
    return new Response(null, { status: MISSING_STATUS })
  }

  return {
    missing: () => [...missing.values()],
    async generateAnswer(request) {
      const answer = await answerWithModel({ ...request, settings }, { fetch })
      if ('failed' in answer && answer.status === MISSING_STATUS) throw new MissingReply()
      return answer
    },
    async restateQuestion(request) {
      const result = await restateQuestion(request, settings, { fetch })
      if (!('failed' in result)) return result.text
      if (result.status === MISSING_STATUS) throw new MissingReply()
      return null
    },
    async wordResult(request) {
      const result = await wordResult(request, settings, { fetch })
      if ('failed' in result && result.status === MISSING_STATUS) throw new MissingReply()
      return { text: result.text, isComplete: !('failed' in result) }
    },
  }
}

export function writeReplies(file: string, lines: readonly RecordedReply[]) {
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

export function hashOf(prompt: RecordedReply['prompt']): string {
  return hash('sha256', JSON.stringify(prompt.map(({ role, content }) => [role, content]))).slice(0, 16)
}

/** Lines without a reply are still to be answered. */
function readReplies(file: string): RecordedReply[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as RecordedReply).filter(({ reply }) => reply.trim() !== '')
}

function toEvents(reply: string): string {
  const events = [
    { choices: [{ index: 0, delta: { content: reply } }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  ]
  return `${events.map((event) => `data: ${JSON.stringify({ id: 'recorded', ...event })}\n\n`).join('')}data: [DONE]\n\n`
}
