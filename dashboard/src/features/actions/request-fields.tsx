import type { Action } from '@docent/contract'
import { HEADERS_PER_ACTION } from '@docent/contract/limits'
import { ActionIcon, Button, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation } from '../../api.ts'
import { SecretDialog } from '../../forms/secret-dialog.tsx'
import { formatDateTime } from '../../text/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'
import {
  type FieldsProps,
  type HeaderDraft,
  isSameForAll,
  METHODS,
  type Method,
  newHeader,
  placeholdersOf,
  unsentInputs,
  VISITOR_PLACEHOLDERS,
  withMethod,
} from './action-draft.ts'
import { texts } from './action-texts.ts'
import { fieldProblem } from './field-problem.ts'
import { TemplateField } from './template-field.tsx'

/** The HTTP request, with the inputs to put into it. */
export function RequestFields({ draft, change, error }: FieldsProps) {
  const { general } = useTexts()
  const placeholders = [...placeholdersOf(draft), ...VISITOR_PLACEHOLDERS]
  return (
    <div className="stack">
      <div className="request-line">
        <Select
          label={texts.method}
          data={[...METHODS]}
          value={draft.method}
          error={fieldProblem(error, 'request.method')}
          onChange={(method) => method && change(withMethod(draft, method as Method))}
        />
        <TemplateField
          label={texts.url}
          required
          maxLength={1000}
          placeholder="https://"
          value={draft.url}
          error={fieldProblem(error, 'request.url')}
          placeholders={placeholders}
          onChange={(url) => change({ url })}
        />
      </div>
      {unsentInputs(draft).map(({ key, name, description }) => (
        <Notice key={key} tone="warn">
          {texts.unsent(description.trim() || name, `{{${name.trim()}}}`, isSameForAll(draft))}
        </Notice>
      ))}
      {draft.method !== 'GET' && (
        <TemplateField
          label={`${texts.body} (${general.optional})`}
          description={texts.bodyHint}
          rows={3}
          maxLength={10_000}
          value={draft.body}
          error={fieldProblem(error, 'request.body')}
          placeholders={placeholders}
          onChange={(body) => change({ body })}
        />
      )}
      <Headers headers={draft.headers} error={error} onChange={(headers) => change({ headers })} />
    </div>
  )
}

interface HeadersProps {
  headers: HeaderDraft[]
  error: unknown
  onChange: (headers: HeaderDraft[]) => void
}

function Headers({ headers, error, onChange }: HeadersProps) {
  const problem = fieldProblem(error, 'request.headers')
  const change = (key: string, part: Partial<HeaderDraft>) =>
    onChange(headers.map((each) => (each.key === key ? { ...each, ...part } : each)))
  return (
    <div className="stack tight">
      <span className="field-label">{texts.headers}</span>
      <p className="field-hint">{texts.headersHint}</p>
      {headers.map(({ key, name, value }) => (
        <div key={key} className="header-line">
          <TextInput
            aria-label={texts.headerName}
            placeholder={texts.headerName}
            maxLength={100}
            spellCheck={false}
            value={name}
            error={problem !== null}
            onChange={(event) => change(key, { name: event.currentTarget.value })}
          />
          <TextInput
            aria-label={texts.headerValue}
            placeholder={texts.headerValue}
            maxLength={1000}
            spellCheck={false}
            value={value}
            error={problem !== null}
            onChange={(event) => change(key, { value: event.currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={texts.removeHeader(name)}
            onClick={() => onChange(headers.filter((each) => each.key !== key))}
          >
            <Icon name="trash" size={18} />
          </ActionIcon>
        </div>
      ))}
      {problem && (
        <p className="field-problem" role="alert">
          {problem}
        </p>
      )}
      {headers.length < HEADERS_PER_ACTION && (
        <div>
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name="plus" size={16} />}
            onClick={() => onChange([...headers, newHeader()])}
          >
            {texts.addHeader}
          </Button>
        </div>
      )}
    </div>
  )
}

/** The secret that signs the requests: only a new one can be shown. */
export function SigningSecret({ botId, action }: { botId: string; action: Action }) {
  const [secret, setSecret] = useState<string | null>(null)
  const rotate = useApiMutation('POST /api/manage/v1/bots/{botId}/actions/{actionId}/rotate-secret', {
    onDone: (response) => setSecret(response.secret),
  })
  const { previous_secret_until: until } = action
  return (
    <div className="stack tight">
      <p className="quiet small">
        {texts.signed}
        {until && ` ${texts.signedUntil(formatDateTime(until))}`}
      </p>
      <div>
        <Button
          variant="default"
          size="xs"
          loading={rotate.isPending}
          onClick={() => rotate.mutate({ params: { botId, actionId: action.id } })}
        >
          {texts.newSecret}
        </Button>
      </div>
      <SecretDialog
        title={texts.secretTitle}
        secrets={secret === null ? null : [{ label: texts.secret, value: secret }]}
        onClose={() => setSecret(null)}
      />
    </div>
  )
}
