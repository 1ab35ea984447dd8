import { PasswordInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useAct } from '../api.ts'
import { fieldError, isError } from '../client.ts'
import { useMessages } from '../messages/messages.tsx'
import { enter } from '../parts/enter.ts'
import { Form } from '../parts/form.tsx'
import { Gate } from '../parts/gate.tsx'
import { linkToken } from '../parts/link-token.ts'
import { Notice } from '../parts/notice.tsx'

export function InvitationPage() {
  const { gate } = useMessages()
  const [token] = useState(linkToken)
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [needsCode, setNeedsCode] = useState(false)
  const accept = useAct('POST /api/manage/v1/invitations/accept', { silent: true, onDone: (session) => enter(session) })
  const submit = () =>
    accept.mutate(
      { body: { token, name, password, ...(needsCode && code ? { code: code.trim() } : {}) } },
      { onError: (error) => isError(error, 'second_factor_required') && setNeedsCode(true) },
    )
  if (!token)
    return (
      <Gate title={gate.invitationTitle}>
        <Notice tone="warn">{gate.linkMissing}</Notice>
      </Gate>
    )
  const error = isError(accept.error, 'second_factor_required') ? null : accept.error
  return (
    <Gate title={gate.invitationTitle} about={gate.invitationAbout}>
      <Form action={gate.join} pending={accept.isPending} error={error} onSubmit={submit}>
        <TextInput
          label={gate.yourName}
          autoComplete="name"
          required
          autoFocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <PasswordInput
          label={gate.password}
          description={gate.passwordHint}
          autoComplete="new-password"
          required
          value={password}
          error={fieldError(accept.error, 'password') ?? null}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {needsCode && (
          <TextInput
            label={gate.code}
            description={gate.codeHint}
            autoComplete="one-time-code"
            required
            autoFocus
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        )}
      </Form>
    </Gate>
  )
}
