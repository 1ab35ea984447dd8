import type { Action } from '@docent/contract'
import { Button, PasswordInput, Select, TextInput } from '@mantine/core'
import { Notice } from '../../ui/notice.tsx'
import { Status } from '../../ui/status.tsx'
import { type AuthDraft, type AuthType, authTypes, type FieldsProps, NO_AUTH, originOf } from './action-draft.ts'
import { words } from './action-words.ts'
import { fieldProblem } from './field-problem.ts'

/** Credentials for the other system. What is stored can be replaced or removed, never read. */
export function AuthFields({ action, draft, change, error }: FieldsProps & { action: Action }) {
  const { auth: stored } = action
  const isMoved = stored !== null && originOf(draft.url) !== originOf(action.request?.url ?? '')
  if (stored && !draft.auth) {
    const isSet = stored.is_set && !isMoved
    return (
      <div className="stack">
        {!isSet && <Notice tone="warn">{words.authForgotten}</Notice>}
        <div className="inline">
          <span>
            {words.authTypes[stored.type]}
            {stored.name && ` (${stored.name})`}
          </span>
          <Status tone={isSet ? 'good' : 'warn'}>{isSet ? words.authSet : words.authMissing}</Status>
          <Button
            variant="default"
            size="xs"
            onClick={() => change({ auth: { ...NO_AUTH, type: stored.type, header: stored.name ?? '' } })}
          >
            {words.authReplace}
          </Button>
          <Button variant="default" size="xs" onClick={() => change({ auth: NO_AUTH })}>
            {words.authRemove}
          </Button>
        </div>
      </div>
    )
  }
  const auth = draft.auth ?? NO_AUTH
  const changeAuth = (part: Partial<AuthDraft>) => change({ auth: { ...auth, ...part } })
  return (
    <div className="stack">
      <Select
        label={words.authType}
        {...(stored && auth.type === 'none' ? { description: words.authRemoved } : {})}
        data={authTypes.map((value) => ({ value, label: words.authTypes[value] }))}
        value={auth.type}
        onChange={(type) => type && changeAuth({ type: type as AuthType })}
      />
      <Credentials auth={auth} change={changeAuth} error={error} />
      {stored && (
        <div>
          <Button variant="default" size="xs" onClick={() => change({ auth: null })}>
            {words.authKeep}
          </Button>
        </div>
      )}
    </div>
  )
}

interface CredentialsProps {
  auth: AuthDraft
  change: (part: Partial<AuthDraft>) => void
  error: unknown
}

function Credentials({ auth, change, error }: CredentialsProps) {
  if (auth.type === 'none') return null
  const secretLabels = { bearer: words.token, header: words.authValue, basic: words.password }
  const problem = fieldProblem(error, 'auth')
  return (
    <>
      {auth.type === 'header' && (
        <TextInput
          label={words.authHeader}
          placeholder="X-Api-Key"
          required
          maxLength={100}
          pattern="[A-Za-z0-9\-]+"
          spellCheck={false}
          value={auth.header}
          onChange={(event) => change({ header: event.currentTarget.value })}
        />
      )}
      {auth.type === 'basic' && (
        <TextInput
          label={words.username}
          required
          maxLength={2000}
          spellCheck={false}
          value={auth.username}
          onChange={(event) => change({ username: event.currentTarget.value })}
        />
      )}
      <PasswordInput
        label={secretLabels[auth.type]}
        required
        maxLength={2000}
        autoComplete="off"
        value={auth.secret}
        error={problem}
        aria-invalid={problem !== null}
        onChange={(event) => change({ secret: event.currentTarget.value })}
      />
    </>
  )
}
