import type { Action, ActionTest, ActionVisitorField } from '@docent/contract'
import { Button, Select, TextInput } from '@mantine/core'
import { formatNumber } from '../../text/format.ts'
import { splitLines } from '../../text/split-lines.ts'
import { Notice } from '../../ui/notice.tsx'
import { Status } from '../../ui/status.tsx'
import { type ActionDraft, type InputDraft, visitorFieldsOf } from './action-draft.ts'
import { texts } from './action-texts.ts'
import { fieldProblem } from './field-problem.ts'
import { pathBelow } from './render-answer.ts'

export type TestValues = Record<string, string>

interface ValuesProps {
  draft: ActionDraft
  values: TestValues
  error: unknown
  onChange: (values: TestValues) => void
}

/** Where the values keep what stands for the visitor: the names of inputs have no dot. */
export function visitorKey(field: ActionVisitorField): string {
  return `visitor.${field}`
}

/** A field for each input, as the visitor's value, and for what the request says of the visitor. */
export function TestValueFields({ draft, values, error, onChange }: ValuesProps) {
  const namedInputs = draft.inputs.filter(({ name }) => name.trim() !== '')
  const visitorFields = visitorFieldsOf(draft)
  if (namedInputs.length + visitorFields.length === 0) return null
  return (
    <div className="pair">
      {namedInputs.map((input) => (
        <TestValue
          key={input.key}
          input={input}
          value={values[input.name] ?? ''}
          error={fieldProblem(error, `inputs.${input.name}`)}
          onChange={(value) => onChange({ ...values, [input.name]: value })}
        />
      ))}
      {visitorFields.map((field) => (
        <TextInput
          key={field}
          label={texts.testVisitor[field]}
          maxLength={254}
          value={values[visitorKey(field)] ?? ''}
          error={fieldProblem(error, visitorKey(field))}
          onChange={(event) => onChange({ ...values, [visitorKey(field)]: event.currentTarget.value })}
        />
      ))}
    </div>
  )
}

interface ValueProps {
  input: InputDraft
  value: string
  error: string | null
  onChange: (value: string) => void
}

function TestValue({ input, value, error, onChange }: ValueProps) {
  const label = input.description.trim() || input.name
  const options =
    input.type === 'choice'
      ? [...new Set(splitLines(input.choices))].map((choice) => ({ value: choice, label: choice }))
      : [
          { value: 'true', label: texts.yes },
          { value: 'false', label: texts.no },
        ]
  if (input.type === 'choice' || input.type === 'boolean')
    return (
      <Select
        label={label}
        placeholder={texts.choose}
        clearable
        data={options}
        value={value || null}
        error={error}
        onChange={(choice) => onChange(choice ?? '')}
      />
    )
  return (
    <TextInput
      label={label}
      {...(input.type === 'date' ? { type: 'date' } : {})}
      {...(input.type === 'number' ? { inputMode: 'decimal' } : {})}
      {...(input.type === 'email' ? { inputMode: 'email' } : {})}
      maxLength={500}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** What came back: the status, the time, and why it failed. */
export function TestOutcome({ result }: { result: ActionTest }) {
  const { outcome, failure, status, duration_ms: duration } = result
  return (
    <div className="stack" role="status">
      <div className="inline">
        <Status tone={outcome === 'completed' ? 'good' : 'bad'}>
          {outcome === 'completed' ? texts.completed : texts.failed}
        </Status>
        {status !== null && <span>{texts.httpStatus(status)}</span>}
        <span className="quiet">{texts.milliseconds(formatNumber(duration))}</span>
      </div>
      {failure && <Notice tone="bad">{texts.failures[failure]}</Notice>}
    </div>
  )
}

interface ResponseProps {
  action: Action
  draft: ActionDraft
  /** Of a test that completed. */
  result: ActionTest | null
  onSample: (sample: unknown) => void
  onPick: (path: string) => void
}

/** The response of the last test, or the saved sample: its fields can be put into the answer. */
export function TestResponse({ action, draft, result, onSample, onPick }: ResponseProps) {
  const response = result ? result.response : draft.sample
  const hasSample = draft.sample !== null
  const isKept = JSON.stringify(draft.sample) === JSON.stringify(response)
  if (!result && !hasSample) return null
  const title = result ? texts.response : texts.sampleShown
  return (
    <div className="stack tight">
      <span className="field-label">{title}</span>
      {response === null ? (
        <p className="quiet">{texts.noResponse}</p>
      ) : (
        <>
          <p className="field-hint">{texts.responseHint}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
          <section className="json" aria-label={title} tabIndex={0}>
            <JsonTree value={response} path="response" onPick={onPick} />
          </section>
        </>
      )}
      {result?.shortened && <p className="quiet small">{texts.shortened}</p>}
      <div className="inline">
        {result && response !== null && !isKept && (
          <Button variant="default" size="xs" onClick={() => onSample(response)}>
            {texts.keepSample}
          </Button>
        )}
        {hasSample && (
          <Button variant="default" size="xs" onClick={() => onSample(null)}>
            {texts.removeSample}
          </Button>
        )}
        {hasSample && JSON.stringify(draft.sample) !== JSON.stringify(action.sample) && (
          <span className="quiet small">{texts.sampleKept}</span>
        )}
      </div>
    </div>
  )
}

interface JsonTreeProps {
  value: unknown
  /** Null if templates cannot name it. */
  path: string | null
  name?: string | number
  onPick: (path: string) => void
}

/** JSON in which every field that holds a plain value is a button. */
function JsonTree({ value, path, name, onPick }: JsonTreeProps) {
  if (typeof value === 'object' && value !== null) {
    const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
    const list = (
      <ul>
        {entries.map(([step, below]) => (
          <li key={step}>
            <JsonTree value={below} path={path && pathBelow(path, step)} name={step} onPick={onPick} />
          </li>
        ))}
      </ul>
    )
    return name === undefined ? (
      list
    ) : (
      <>
        <span className="json-name">{name}</span>
        {entries.length > 0 ? list : <span className="quiet">{Array.isArray(value) ? ' []' : ' {}'}</span>}
      </>
    )
  }
  const json = JSON.stringify(value)
  const field = (
    <>
      {name !== undefined && <span className="json-name">{name}: </span>}
      <span className="json-value">{json}</span>
    </>
  )
  if (!path || value === null) return field
  const placeholder = `{{${path}}}`
  const visibleText = name === undefined ? json : `${name}: ${json}`
  return (
    <button
      type="button"
      title={placeholder}
      aria-label={`${visibleText}, ${texts.insertName(placeholder)}`}
      onClick={() => onPick(path)}
    >
      {field}
    </button>
  )
}
