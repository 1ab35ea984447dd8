// Completes an answer in the widget: whether to ask for a person, and whether contact details were left or are needed.
import { buttonLabels, nobodyAvailable, reachUsSentence, sentencesFor } from '../../answers/fall-back.ts'
import type { Answer, Button } from '../../answers/types.ts'
import { isOpen } from '../../local-time.ts'
import type { BotRecord } from '../../storage/bots.ts'
import type { HandoverReason, KnownConversation } from '../../storage/conversations.ts'

export interface CompletedTurn {
  answer: Answer
  /** Why a person is requested now, or null. */
  request: HandoverReason | null
  showsLeadForm: boolean
}

interface TurnContext {
  bot: Pick<BotRecord, 'tone' | 'widget' | 'fallbackMessage'>
  text: string
  known: KnownConversation | null
  /** Whether the message contains an email address or a phone number. */
  hasContact: boolean
  /** Offers to email the conversation, where enabled. */
  transcriptButton: Button | null
  now: number
}

export function completeTurn(answer: Answer, context: TurnContext): CompletedTurn {
  const { bot, text, known, hasContact, transcriptButton, now } = context
  const { handover, leadForm } = bot.widget
  const say = sentencesFor(bot, answer.language)
  const status = known?.handover.status ?? 'none'
  const isThere = handover.enabled && isOpen(handover.hours, now)
  const isAsked = status === 'requested'
  const reason = hasContact && answer.decision !== 'person' ? null : handoverReason(answer, handover, text, known)
  const buttons = fittingButtons(answer, isThere && !isAsked, leadForm !== null)

  // Still waiting for a person: no answer of the bot to be rated.
  if (isAsked && !answer.answered) return completedTurn({ ...answer, decision: 'person' }, say.handedOver, [])
  if (reason && isThere && !isAsked) {
    const before = answer.decision === 'person' ? '' : `${answer.text}\n\n`
    const others = buttons.filter(({ type }) => type !== 'handover')
    return { ...completedTurn(answer, before + say.handedOver, others), request: reason }
  }
  if (hasContact) {
    // A message with contact details is usually not a question.
    const thanked = answer.answered ? `${answer.text}\n\n${say.contactNoted}` : say.contactNoted
    const noted: Partial<Answer> = answer.answered ? {} : { answered: true, confidence: 1, decision: 'small_talk' }
    return completedTurn({ ...answer, ...noted }, thanked, transcriptButton ? [transcriptButton] : [])
  }
  if (answer.decision === 'person' && !isThere) {
    if (leadForm) return { ...completedTurn(answer, say.leaveContact, []), showsLeadForm: true }
    const reachUs = answer.contact ? [reachUsSentence(say, answer.contact)] : []
    return completedTurn(answer, bot.fallbackMessage ?? [nobodyAvailable(say), ...reachUs].join(' '), [])
  }
  return completedTurn(answer, answer.text, buttons)
}

function completedTurn(answer: Answer, text: string, buttons: Button[]): CompletedTurn {
  return { answer: { ...answer, text, buttons }, request: null, showsLeadForm: false }
}

function handoverReason(
  answer: Answer,
  { keywords, on_low_confidence }: BotRecord['widget']['handover'],
  text: string,
  known: KnownConversation | null,
): HandoverReason | null {
  if (answer.decision === 'person') return 'visitor_request'
  if (mentionsKeyword(keywords, text)) return 'rule'
  return on_low_confidence && !answer.answered && known?.unanswered ? 'low_confidence' : null
}

export function mentionsKeyword(keywords: readonly string[], text: string): boolean {
  return keywords.some((keyword) => mentions(text, keyword))
}

/** Whole words only: "refund" is not in "refundable". Scripts without spaces match anywhere. */
function mentions(text: string, keyword: string): boolean {
  const escaped = keyword
    .trim()
    .toLowerCase()
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const isSpaced = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}]/u.test(keyword)
  const pattern = isSpaced ? `(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])` : escaped
  return new RegExp(pattern, 'u').test(text.toLowerCase())
}

/** Offers a person only where there is one; otherwise the form, if the bot has one. */
function fittingButtons({ buttons, language }: Answer, hasPeople: boolean, hasForm: boolean): Button[] {
  const { contact } = buttonLabels(language)
  return buttons.flatMap((button): Button[] => {
    if (button.type !== 'handover' || hasPeople) return [button]
    return hasForm ? [{ id: 'contact', type: 'lead_form', label: contact }] : []
  })
}
