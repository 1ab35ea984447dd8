import type { Action } from '@docent/contract'
import { Button, PasswordInput, Select, TextInput } from '@mantine/core'
import { Notice } from '../../ui/notice.tsx'
import { Status } from '../../ui/status.tsx'
import { AUTH_TYPES, type AuthDraft, type AuthType, type FieldsProps, NO_AUTH, originOf } from './action-draft.ts'
import { texts } from './action-texts.ts'
import { fieldProblem } from './field-problem.ts'

/** Credentials for the other system. What is stored can be replaced or removed, never read. */
export function AuthFields({ action, draft, change, error }: FieldsProps & { action: Action }) {
  const { auth: storedAuth } = action
  const isMoved = storedAuth !== null && originOf(draft.url) !== originOf(action.request?.url ?? '')
  if (storedAuth && !draft.auth) {
    const isSet = storedAuth.is_set && !isMoved
    return (
      <div className="stack">
        {!isSet && <Notice tone="warn">{texts.authForgotten}</Notice>}
        <div className="inline">
          <span>
            {texts.authTypes[storedAuth.type]}
            {storedAuth.name && ` (${storedAuth.name})`}
          </span>
          <Status tone={isSet ? 'good' : 'warn'}>{isSet ? texts.authSet : texts.authMissing}</Status>
          <Button
            variant="default"
            size="xs"
            onClick={() => change({ auth: { ...NO_AUTH, type: storedAuth.type, header: storedAuth.name ?? '' } })}
          >
            {texts.authReplace}
          </Button>
          <Button variant="default" size="xs" onClick={() => change({ auth: NO_AUTH })}>
            {texts.authRemove}
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
        label={texts.authType}
        {...(storedAuth && auth.type === 'none' ? { description: texts.authRemoved } : {})}
        data={AUTH_TYPES.map((value) => ({ value, label: texts.authTypes[value] }))}
        value={auth.type}
        onChange={(type) => type && changeAuth({ type: type as AuthType })}
      />
      <Credentials auth={auth} change={changeAuth} error={error} />
      {storedAuth && (
        <div>
          <Button variant="default" size="xs" onClick={() => change({ auth: null })}>
            {texts.authKeep}
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
  const secretLabels = { bearer: texts.token, header: texts.authValue, basic: texts.password }
  const problem = fieldProblem(error, 'auth')
  return (
    <>
      {auth.type === 'header' && (
        <TextInput
          label={texts.authHeader}
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
          label={texts.username}
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
