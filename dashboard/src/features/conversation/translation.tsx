import { useState } from 'react'
import { PlainText } from '../../text/plain-text.tsx'
import { currentLanguage } from '../../texts/texts.tsx'
import { replyHelp as texts } from './conversation-texts.ts'
import { type ConversationPlace, useModelDraft } from './reply/use-model-draft.ts'

/** A message in the language of the interface, on request. */
export function Translation({ place, text }: { place: ConversationPlace; text: string }) {
  const { isPending, write } = useModelDraft(place)
  const [translatedText, setTranslatedText] = useState<string | null>(null)
  if (translatedText === null)
    return (
      <p className="message-meta small">
        <button
          type="button"
          className="message-fix"
          disabled={isPending}
          onClick={() => write({ task: 'translate', text, language: currentLanguage() }, setTranslatedText)}
        >
          {isPending ? texts.writing : texts.translate}
        </button>
      </p>
    )
  return (
    <div className="message-translation small">
      <PlainText text={translatedText} />
      <p className="quiet">{texts.translation}</p>
    </div>
  )
}
