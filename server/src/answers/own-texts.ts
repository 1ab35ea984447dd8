// The texts that a company wrote itself, for visitors of one language: the translation, else the text without a
// language where it may be in theirs, else none: nobody is greeted in one language and answered in another.
import type { FlowButton, HandoverQuestion, Translation, WidgetSettings } from '@docent/contract'
import { isClearlyOther } from '../language/detect-language.ts'

interface OwnTexts {
  fallbackMessage: string | null
  translations: Translation[]
  widget: { look: Pick<WidgetSettings, 'greeting' | 'suggested_questions'> }
}

/** Null: the built-in greeting. */
export function greetingFor({ widget, translations }: OwnTexts, language: string): string | null {
  return translationOf(translations, language)?.greeting ?? fitting(widget.look.greeting, language)
}

/** Null: the built-in text. */
export function fallbackFor(bot: Pick<OwnTexts, 'fallbackMessage' | 'translations'>, language: string) {
  return translationOf(bot.translations, language)?.fallback_message ?? fitting(bot.fallbackMessage, language)
}

export function suggestedQuestionsFor({ widget, translations }: OwnTexts, language: string): string[] {
  const translatedQuestions = translationOf(translations, language)?.suggested_questions ?? []
  if (translatedQuestions.length > 0) return translatedQuestions
  const questions = widget.look.suggested_questions
  return fitting(questions.join('\n'), language) ? questions : []
}

type Translated = Pick<OwnTexts, 'translations'>

/** A button leads somewhere, so it is shown in another language rather than not at all. */
export function buttonFor<Button extends FlowButton>({ translations }: Translated, button: Button, language: string) {
  const translation = translationOf(translations, language)?.buttons.find(({ label }) => label === button.label)
  if (!translation) return button
  return {
    ...button,
    label: translation.text,
    ...(button.type === 'question' ? { question: translation.question ?? null } : {}),
  }
}

/** Every text of a button: whoever taps it sends one of them. */
export function labelsOf({ translations }: Translated, { label }: FlowButton): string[] {
  const translatedButtons = translations.flatMap(({ buttons }) => buttons.filter((one) => one.label === label))
  return [label, ...translatedButtons.map(({ text }) => text)]
}

/** A question before a handover as visitors read it. */
interface AskedQuestion extends HandoverQuestion {
  /** What the label is called in their language. */
  text: string
}

export function handoverQuestionFor({ translations }: Translated, question: HandoverQuestion, language: string) {
  const { label, choices = [] } = question
  const translation = translationOf(translations, language)?.handover_questions.find((one) => one.label === label)
  if (!translation) return { ...question, text: label }
  const isWhole = translation.choices?.length === choices.length
  const askedQuestion: AskedQuestion = { ...question, ask: translation.ask, text: translation.text ?? label }
  return isWhole && translation.choices ? { ...askedQuestion, choices: translation.choices } : askedQuestion
}

function translationOf(translations: readonly Translation[], language: string): Translation | undefined {
  return translations.find((one) => one.language === primary(language))
}

function fitting(text: string | null, language: string): string | null {
  return text && !isClearlyOther(text, primary(language)) ? text : null
}

/** "de" of "de-AT". */
function primary(locale: string): string {
  return locale.toLowerCase().split(/[-_]/)[0] ?? ''
}
