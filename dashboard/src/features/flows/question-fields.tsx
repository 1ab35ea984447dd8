import { HANDOVER_QUESTIONS } from '@docent/contract/limits'
import { Select, Textarea, TextInput } from '@mantine/core'
import { hasSameName, newQuestion, QUESTION_TYPES, type QuestionDraft, type QuestionType } from './flow-draft.ts'
import { texts } from './flow-texts.ts'
import { ItemList } from './item-list.tsx'

interface Props {
  questions: QuestionDraft[]
  onChange: (questions: QuestionDraft[]) => void
}

export function QuestionFields({ questions, onChange }: Props) {
  return (
    <ItemList
      label={texts.questions}
      items={questions}
      max={HANDOVER_QUESTIONS}
      add={{ label: texts.addQuestion, make: newQuestion }}
      titleOf={({ label, ask }) => label.trim() || ask.trim() || texts.newQuestion}
      onChange={onChange}
    >
      {(question, change) => (
        <>
          <TextInput
            label={texts.ask}
            required
            maxLength={300}
            placeholder={texts.askPlaceholder}
            value={question.ask}
            onChange={(event) => change({ ask: event.currentTarget.value })}
          />
          <div className="pair">
            <TextInput
              label={texts.name}
              description={texts.nameHint}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              required
              maxLength={80}
              value={question.label}
              error={hasSameName(question, questions) && texts.sameName}
              onChange={(event) => change({ label: event.currentTarget.value })}
            />
            <Select
              label={texts.type}
              data={QUESTION_TYPES.map((value) => ({ value, label: texts.answerTypes[value] }))}
              allowDeselect={false}
              value={question.type}
              onChange={(type) => type && change({ type: type as QuestionType })}
            />
          </div>
          {question.type === 'choice' && (
            <Textarea
              label={texts.choices}
              description={texts.choicesHint}
              required
              autosize
              minRows={2}
              maxRows={9}
              value={question.choices}
              onChange={(event) => change({ choices: event.currentTarget.value })}
            />
          )}
        </>
      )}
    </ItemList>
  )
}
