// Which question a visitor's message asked, for counting. Not for small talk, handover or contact details.
import type { Answer } from '../answers/types.ts'
import { hasContactDetails } from '../answers/understand/contact-details.ts'
import { questionKey } from '../answers/understand/question-key.ts'
import type { AskedQuestion, MessageRecord } from '../storage/messages.ts'

// A cheap test first: parsing phone numbers costs more than everything else here.
const maybeContact = /@|\p{Nd}(?:[\s()./-]*\p{Nd}){5}/u

export function findAskedQuestion(
  { id, text }: Pick<MessageRecord, 'id' | 'text'>,
  answer: Answer,
  region: string | undefined,
): AskedQuestion | null {
  if (answer.asksNothing || (!answer.answered && containsContact(text, region))) return null
  const key = questionKey(text)
  return key === null ? null : { key, id, language: answer.language }
}

/** A message with contact details is usually not a question. */
function containsContact(text: string, region: string | undefined): boolean {
  return maybeContact.test(text) && hasContactDetails(text, region)
}
