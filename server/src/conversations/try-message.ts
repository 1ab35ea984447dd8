// The way of a message without its traces: what a bot would answer, and why. No conversation, no events.
import type { TryAnswer } from '@docent/contract'
import { answerQuestion } from '../answers/answer-question.ts'
import type { Found } from '../answers/find-hits.ts'
import type { Answer, BotVoice, Knowledge, Turn } from '../answers/types.ts'
import type { BotRecord } from '../storage/bots/bots.ts'
import type { ModelUsageDaysTable } from '../storage/bots/model-usage-days.ts'
import type { ModelCall, SpeakerOf } from './models/model-speaker.ts'
import { usageOf, voiceOf } from './send-message.ts'

export interface Tried {
  answer: Answer
  decision: TryAnswer['decision']
  thresholds: BotVoice['thresholds']
  /** What was looked up; undefined for what needs no content. */
  found: Found | undefined
  call: ModelCall | null
}

export type TryMessage = (bot: BotRecord, text: string, history: Turn[]) => Promise<Tried>

interface Deps {
  knowledgeOf: (bot: BotRecord) => Promise<Knowledge>
  speakerOf: SpeakerOf
  modelUsageDays: Pick<ModelUsageDaysTable, 'count'>
  baseUrl: string
  clock: () => number
}

export function createTryMessage({ knowledgeOf, speakerOf, modelUsageDays, baseUrl, clock }: Deps): TryMessage {
  return async (bot, text, history) => {
    const voice = voiceOf(bot, baseUrl)
    const knowledge = await knowledgeOf(bot)
    const written = new Set<string>()
    const watched: Knowledge = {
      ...knowledge,
      readCurated: async (id) => {
        const curated = await knowledge.readCurated(id)
        if (curated) written.add(curated.answer)
        return curated
      },
    }
    const speaker = speakerOf(bot, {})
    let found: Found | undefined
    const answer = await answerQuestion(text, history, voice, watched, speaker?.speak, (each) => {
      found = each
    })
    const call = speaker?.call() ?? null
    // What the model was asked is paid, whoever asked.
    if (call) await modelUsageDays.count(bot.id, usageOf(call, clock()))
    const { thresholds } = voice
    return { answer, decision: decisionOf(answer, { written, found, thresholds }), thresholds, found, call }
  }
}

type Traces = Pick<Tried, 'found' | 'thresholds'> & { written: Set<string> }

function decisionOf(answer: Answer, { written, found, thresholds }: Traces): Tried['decision'] {
  if (written.has(answer.text)) return 'curated'
  if (answer.wantsPerson) return 'person'
  if (answer.products?.length) return 'product'
  // Looked up nothing: either there was nothing to look up, or the catalogue had to say no.
  if (!found) return answer.answered && answer.confidence === 1 ? 'small_talk' : 'product'
  if (!answer.answered) return 'fall_back'
  return answer.confidence >= thresholds.answer ? 'answer' : 'suggest'
}
