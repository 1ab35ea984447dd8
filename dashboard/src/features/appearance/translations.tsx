// The texts that the company wrote itself, per language.
import type { Bot } from '@docent/contract'
import { WIDGET_LANGUAGES } from '@docent/contract/languages'
import { Button, Select, Textarea, TextInput } from '@mantine/core'
import { languageName } from '../../text/format.ts'
import { loadTexts, useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { Status } from '../../ui/status.tsx'
import {
  type AppearanceDraft,
  type ButtonTranslationDraft,
  hasTooMany,
  isUntranslated,
  lacksChoices,
  newTranslation,
  type QuestionTranslationDraft,
  type TranslationDraft,
} from './appearance-draft.ts'

const { translations: texts } = await loadTexts<typeof import('../../texts/en/translations.ts')>(
  (language) => import(`../../texts/${language}/translations.ts`),
)

interface Props {
  bot: Bot
  draft: AppearanceDraft
  change: (part: Partial<AppearanceDraft>) => void
}

export function Translations({ bot, draft: { translations }, change }: Props) {
  const set = (next: TranslationDraft[]) => change({ translations: next })
  const isWritten = (code: string) => translations.some(({ language }) => language === code)
  const others = WIDGET_LANGUAGES.filter((code) => code !== bot.language && !isWritten(code))
  const choices = others.map((value) => ({ value, label: languageName(value) }))
  const add = (value: string | null) => {
    const language = others.find((code) => code === value)
    if (language) set([...translations, newTranslation(bot, language)])
  }
  return (
    <Card title={texts.title} about={texts.about}>
      {translations.length > 0 && (
        <ul className="stack tight" aria-label={texts.title}>
          {translations.map((draft) => (
            <TranslationFields
              key={draft.language}
              draft={draft}
              onChange={(changedDraft) =>
                set(translations.map((one) => (one.language === draft.language ? changedDraft : one)))
              }
              onRemove={() => set(translations.filter(({ language }) => language !== draft.language))}
            />
          ))}
        </ul>
      )}
      {choices.length > 0 && (
        <Select
          label={texts.add}
          placeholder={texts.addPlaceholder}
          searchable
          data={choices.sort((a, b) => a.label.localeCompare(b.label))}
          value={null}
          onChange={add}
        />
      )}
    </Card>
  )
}

interface FieldsProps {
  draft: TranslationDraft
  onChange: (draft: TranslationDraft) => void
  onRemove: () => void
}

function TranslationFields({ draft, onChange, onRemove }: FieldsProps) {
  const { appearance, settings } = useTexts()
  const name = languageName(draft.language)
  const area = { autosize: true, minRows: 2, maxRows: 8, lang: draft.language, dir: 'auto' }
  const parts = ['greeting', 'questions', 'fallback', 'buttons', 'handover'] as const
  const missingParts = parts.filter((part) => isMissing(draft, part)).map((part) => texts.parts[part])
  return (
    <li className="boxed" aria-label={name}>
      <div className="boxed-head">
        <strong>{name}</strong>
        <Button variant="subtle" color="gray" size="compact-sm" onClick={onRemove} aria-label={texts.remove(name)}>
          {appearance.removePicture}
        </Button>
      </div>
      <div>
        <Status tone={missingParts.length > 0 ? 'quiet' : 'good'}>
          {missingParts.length > 0 ? texts.missing(missingParts) : texts.complete}
        </Status>
      </div>
      <Textarea
        {...area}
        label={appearance.greeting}
        description={texts.greetingInstead(name)}
        maxLength={1000}
        value={draft.greeting}
        onChange={(event) => onChange({ ...draft, greeting: event.currentTarget.value })}
      />
      <Textarea
        {...area}
        label={appearance.questions}
        description={texts.questionsInstead(name)}
        error={hasTooMany(draft.questions) && appearance.tooMany}
        value={draft.questions}
        onChange={(event) => onChange({ ...draft, questions: event.currentTarget.value })}
      />
      <Textarea
        {...area}
        label={settings.fallback}
        description={texts.fallbackInstead(name)}
        maxLength={1000}
        value={draft.fallback}
        onChange={(event) => onChange({ ...draft, fallback: event.currentTarget.value })}
      />
      {draft.buttons.map((button) => (
        <ButtonTranslation
          key={button.label}
          button={button}
          language={draft.language}
          onChange={(changedButton) => onChange({ ...draft, buttons: replacePart(draft.buttons, changedButton) })}
        />
      ))}
      {draft.handover.map((question) => (
        <QuestionTranslation
          key={question.label}
          question={question}
          language={draft.language}
          onChange={(changedQuestion) => onChange({ ...draft, handover: replacePart(draft.handover, changedQuestion) })}
        />
      ))}
    </li>
  )
}

function isMissing(draft: TranslationDraft, part: Exclude<keyof TranslationDraft, 'language'>): boolean {
  if (part === 'buttons') return draft.buttons.some(({ text }) => text.trim() === '')
  if (part === 'handover') return draft.handover.some(isUntranslated)
  return draft[part].trim() === ''
}

function replacePart<Part extends { label: string }>(parts: Part[], changedPart: Part): Part[] {
  return parts.map((part) => (part.label === changedPart.label ? changedPart : part))
}

interface ButtonProps {
  button: ButtonTranslationDraft
  language: string
  onChange: (button: ButtonTranslationDraft) => void
}

function ButtonTranslation({ button, language, onChange }: ButtonProps) {
  return (
    <>
      <TextInput
        label={texts.button(button.label)}
        lang={language}
        dir="auto"
        placeholder={button.label}
        maxLength={200}
        value={button.text}
        onChange={(event) => onChange({ ...button, text: event.currentTarget.value })}
      />
      {button.asks !== null && (
        <TextInput
          label={texts.buttonAsks(button.label)}
          lang={language}
          dir="auto"
          placeholder={button.asks}
          maxLength={500}
          value={button.question}
          onChange={(event) => onChange({ ...button, question: event.currentTarget.value })}
        />
      )}
    </>
  )
}

interface QuestionProps {
  question: QuestionTranslationDraft
  language: string
  onChange: (question: QuestionTranslationDraft) => void
}

function QuestionTranslation({ question, language, onChange }: QuestionProps) {
  const { label, asks, options, ask, choices } = question
  return (
    <>
      <TextInput
        label={texts.handover(label)}
        lang={language}
        dir="auto"
        placeholder={asks}
        maxLength={300}
        value={ask}
        onChange={(event) => onChange({ ...question, ask: event.currentTarget.value })}
      />
      {options.length > 0 && (
        <Textarea
          label={texts.choices(label)}
          description={texts.choicesHint(options)}
          lang={language}
          dir="auto"
          autosize
          minRows={2}
          maxRows={9}
          error={lacksChoices(question) && texts.choicesCount(options.length)}
          value={choices}
          onChange={(event) => onChange({ ...question, choices: event.currentTarget.value })}
        />
      )}
    </>
  )
}
