import { PasswordInput, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAct } from '../api.ts'
import { isError } from '../client.ts'
import { useMessages } from '../messages/messages.tsx'
import { enter, nextPlace } from '../parts/enter.ts'
import { Form } from '../parts/form.tsx'
import { Gate } from '../parts/gate.tsx'

export function LogInPage() {
  const { gate } = useMessages()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [needsCode, setNeedsCode] = useState(false)
  const logIn = useAct('POST /api/manage/v1/session', {
    silent: true,
    onDone: (session) => enter(session, nextPlace(location.search)),
  })
  const submit = () =>
    logIn.mutate(
      { body: { email, password, ...(needsCode && code ? { code: code.trim() } : {}) } },
      { onError: (error) => isError(error, 'second_factor_required') && setNeedsCode(true) },
    )
  const asked = isError(logIn.error, 'second_factor_required')
  return (
    <Gate title={gate.logInTitle}>
      <Form action={gate.logIn} pending={logIn.isPending} error={asked ? null : logIn.error} onSubmit={submit}>
        <TextInput
          label={gate.email}
          type="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label={gate.password}
          autoComplete="current-password"
          required
          value={password}
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
      <p className="small">
        <Link to="/reset">{gate.forgot}</Link>
      </p>
    </Gate>
  )
}
