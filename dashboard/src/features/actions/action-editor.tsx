import type { Action } from '@docent/contract'
import { Button, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { useApiMutation } from '../../api.ts'
import { FormError } from '../../forms/form.tsx'
import { rebaseDraft } from '../../forms/rebase-draft.ts'
import { SettingsForm } from '../../forms/settings-form.tsx'
import { toast } from '../../forms/toast.tsx'
import { useHasRole, useSession } from '../../session.ts'
import { AnswerText } from '../../text/answer-text.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import {
  type ActionDraft,
  changedFields,
  type FieldsProps,
  placeholdersOf,
  readAction,
  visitorFieldsOf,
  writeAction,
} from './action-draft.ts'
import { ActionInputs } from './action-inputs.tsx'
import { texts } from './action-texts.ts'
import { AuthFields } from './auth-fields.tsx'
import { fieldProblem } from './field-problem.ts'
import { renderAnswer } from './render-answer.ts'
import { RequestFields, SigningSecret } from './request-fields.tsx'
import { insertText, TemplateField } from './template-field.tsx'
import { TestOutcome, TestResponse, TestValueFields, type TestValues, visitorKey } from './test-action.tsx'

interface Props {
  botId: string
  action: Action
  editing: ReturnType<typeof useActionDraft>
}

/** Everything about an action, in the order in which one thinks of it: when, what, how, and what is said then. */
export function ActionEditor({ botId, action, editing }: Props) {
  const { general } = useTexts()
  const { action_timeout_seconds } = useSession()
  const { draft, change, error } = editing
  const [values, setValues] = useState<TestValues>({})
  const answerField = useRef<HTMLTextAreaElement>(null)
  const [insertedText, setInsertedText] = useState('')
  const test = useApiMutation('POST /api/manage/v1/bots/{botId}/actions/{actionId}/test', { silent: true })
  const mayEdit = useHasRole('editor')
  const isHttp = action.kind === 'http'
  const result = test.data?.outcome === 'completed' ? test.data : null
  const fields: FieldsProps = { draft, change, error }

  const runTest = async () => {
    test.reset()
    if (editing.changed && !(await editing.save())) return
    const filledInputs = draft.inputs.flatMap(({ name }) => (values[name] ? [[name, values[name]]] : []))
    const visitor = visitorFieldsOf(draft).map((field) => [field, values[visitorKey(field)]?.trim() ?? ''])
    const body = { inputs: Object.fromEntries(filledInputs), visitor: Object.fromEntries(visitor) }
    test.mutate({ params: { botId, actionId: action.id }, body })
  }
  const pick = (path: string) => {
    const placeholder = `{{${path}}}`
    insertText(answerField.current, placeholder, (template) => change({ template }), false)
    setInsertedText(texts.inserted(placeholder))
  }

  return (
    <SettingsForm
      changed={editing.changed}
      pending={editing.pending}
      error={error}
      onSave={async () => (await editing.save()) && toast(general.saved)}
      onDiscard={editing.discard}
    >
      {mayEdit && action.state === 'draft' && <Notice>{isHttp ? texts.draftNext : texts.draftNextLead}</Notice>}
      <Card split title={texts.when} about={texts.whenAbout}>
        <WhenFields {...fields} />
      </Card>
      <Card split title={texts.inputs} about={isHttp ? texts.inputsAbout : texts.inputsLead}>
        <ActionInputs inputs={draft.inputs} error={error} onChange={(inputs) => change({ inputs })} />
      </Card>
      {isHttp && (
        <Card split title={texts.request} about={texts.requestAbout(action_timeout_seconds)}>
          <RequestFields {...fields} />
          {mayEdit && <SigningSecret botId={botId} action={action} />}
        </Card>
      )}
      {isHttp && (
        <Card split title={texts.auth} about={texts.authAbout}>
          <AuthFields {...fields} action={action} />
        </Card>
      )}
      {mayEdit && (
        <Card split title={texts.test} about={isHttp ? texts.testAbout : texts.testAboutLead}>
          <TestValueFields draft={draft} values={values} error={test.error} onChange={setValues} />
          {isHttp && draft.method !== 'GET' && <Notice tone="warn">{texts.testWrites(draft.method)}</Notice>}
          {isHttp && (
            <div>
              <Button variant="default" loading={test.isPending || editing.pending} onClick={runTest}>
                {editing.changed ? texts.saveAndTest : texts.runTest}
              </Button>
            </div>
          )}
          {Boolean(test.error) && <FormError error={test.error} />}
          {test.data && <TestOutcome result={test.data} />}
          {isHttp && (
            <TestResponse
              action={action}
              draft={draft}
              result={result}
              onSample={(sample) => change({ sample })}
              onPick={pick}
            />
          )}
        </Card>
      )}
      <Card split title={texts.answer} about={texts.answerAbout}>
        <TemplateField
          label={`${texts.template} (${general.optional})`}
          description={texts.templateHint}
          rows={3}
          maxLength={4000}
          value={draft.template}
          error={fieldProblem(error, 'answer_template')}
          placeholders={placeholdersOf(draft)}
          fieldRef={answerField}
          onChange={(template) => change({ template })}
        />
        <span className="unseen" role="status">
          {insertedText}
        </span>
        <Preview draft={draft} values={values} response={result ? result.response : draft.sample} needsTest={isHttp} />
      </Card>
      <Card split title={texts.access}>
        <AccessFields {...fields} />
      </Card>
    </SettingsForm>
  )
}

function WhenFields({ draft, change, error }: FieldsProps) {
  const { general } = useTexts()
  return (
    <>
      <TextInput
        label={general.name}
        required
        maxLength={100}
        value={draft.name}
        error={fieldProblem(error, 'name')}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <Textarea
        label={texts.examples}
        description={texts.examplesHint}
        required
        autosize
        minRows={4}
        maxRows={14}
        value={draft.examples}
        error={fieldProblem(error, 'examples')}
        onChange={(event) => change({ examples: event.currentTarget.value })}
      />
      <Textarea
        label={`${texts.notFor} (${general.optional})`}
        description={texts.notForHint}
        autosize
        minRows={2}
        maxRows={14}
        value={draft.notFor}
        error={fieldProblem(error, 'not_for')}
        onChange={(event) => change({ notFor: event.currentTarget.value })}
      />
      <Textarea
        label={`${texts.description} (${general.optional})`}
        description={texts.descriptionHint}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={1000}
        value={draft.description}
        error={fieldProblem(error, 'description')}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
    </>
  )
}

const RESPONSE_FIELD = /\{\{\s*response\.?([^{}]*?)\s*\}\}/g

interface PreviewProps {
  draft: ActionDraft
  values: TestValues
  /** Null before a test, without a sample. */
  response: unknown
  needsTest: boolean
}

function Preview({ draft, values, response, needsTest }: PreviewProps) {
  // What is not filled in yet is shown by its name.
  const exampleValues = draft.inputs.map(({ name, description }) => [name, values[name] || `[${description || name}]`])
  const isMissing = needsTest && response === null
  const template = isMissing ? draft.template.replace(RESPONSE_FIELD, '\\[$1\\]') : draft.template
  return (
    <section className="stack tight" aria-label={texts.preview}>
      <span className="field-label">{texts.preview}</span>
      {isMissing && <p className="field-hint">{texts.previewEmpty}</p>}
      {(!isMissing || draft.template.trim() !== '') && (
        <div className="answer-preview">
          <AnswerText text={renderAnswer(template, Object.fromEntries(exampleValues), response, texts.done)} />
        </div>
      )}
    </section>
  )
}

function AccessFields({ draft, change, error }: FieldsProps) {
  return (
    <>
      <Select
        label={texts.audience}
        description={texts.audienceHint}
        data={(['everyone', 'verified'] as const).map((value) => ({ value, label: texts.audiences[value] }))}
        value={draft.audience}
        error={fieldProblem(error, 'audience')}
        onChange={(audience) => audience && change({ audience: audience as ActionDraft['audience'] })}
      />
      <Switch
        label={texts.confirm}
        description={texts.confirmHint}
        checked={draft.confirm}
        onChange={(event) => change({ confirm: event.currentTarget.checked })}
      />
    </>
  )
}

/** An editable draft of an action, with its form state and the ways to save it. */
export function useActionDraft(botId: string, action: Action) {
  const [state, setState] = useState(() => ({ action, base: readAction(action), draft: readAction(action) }))
  // After someone else saved, untouched fields take the new values.
  if (state.action !== action)
    setState({ action, base: readAction(action), draft: rebaseDraft(state, readAction(action)) })
  const { draft } = state
  const reset = (from: Action) => setState({ action, base: readAction(from), draft: readAction(from) })
  const save = useApiMutation('PATCH /api/manage/v1/bots/{botId}/actions/{actionId}', { silent: true, onDone: reset })
  const body = changedFields(writeAction(draft, action.kind), writeAction(readAction(action), action.kind))
  const params = { botId, actionId: action.id }
  return {
    draft,
    change: (part: Partial<ActionDraft>) => setState((old) => ({ ...old, draft: { ...old.draft, ...part } })),
    changed: Object.keys(body).length > 0,
    pending: save.isPending,
    error: save.error,
    discard: () => {
      save.reset()
      reset(action)
    },
    /** Resolves with whether it was saved; if not, the fields say why. */
    save: async (more: { state?: Action['state'] } = {}): Promise<boolean> =>
      save.mutateAsync({ params, body: { ...body, ...more } }).then(
        () => true,
        () => false,
      ),
  }
}
