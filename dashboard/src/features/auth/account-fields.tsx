// Fields for logins and accounts, with the same labels and hints everywhere.
import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { fieldError, isError } from '../../client.ts'
import { useMessages } from '../../messages/messages.tsx'

interface Held {
  value: string
  onChange: (value: string) => void
}

type TextProps = Held & Omit<TextInputProps, keyof Held>
type PasswordProps = Held & Omit<PasswordInputProps, keyof Held>

function Text({ onChange, ...given }: TextProps) {
  return <TextInput required onChange={(event) => onChange(event.currentTarget.value)} {...given} />
}

function Password({ onChange, ...given }: PasswordProps) {
  return (
    <PasswordInput
      required
      aria-invalid={Boolean(given.error)}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...given}
    />
  )
}

export function NameField(given: TextProps) {
  return <Text label={useMessages().auth.yourName} autoComplete="name" {...given} />
}

export function EmailField(given: TextProps) {
  return <Text label={useMessages().auth.email} type="email" autoComplete="username" {...given} />
}

export function PasswordField(given: PasswordProps) {
  return <Password label={useMessages().auth.password} autoComplete="current-password" {...given} />
}

/** Shows the rules for new passwords and the server's error. */
export function NewPasswordField({ failure, path, ...given }: PasswordProps & { failure: unknown; path: string }) {
  const { auth } = useMessages()
  const error = fieldError(failure, path) ?? null
  const words = { label: auth.password, description: auth.passwordHint, error }
  return <Password {...words} autoComplete="new-password" {...given} />
}

export function CodeField(given: TextProps) {
  const { auth } = useMessages()
  return <Text label={auth.code} description={auth.codeHint} autoComplete="one-time-code" {...given} />
}

/** The two-factor code, requested once the server requires it. */
export function useCode() {
  const [code, setCode] = useState('')
  const [isWanted, setWanted] = useState(false)
  const wants = (error: unknown) => isError(error, 'second_factor_required')
  return {
    /** Spread into the request body. */
    given: isWanted && code ? { code: code.trim() } : {},
    onError: (error: unknown) => wants(error) && setWanted(true),
    /** The request for a code is not shown as an error. */
    shown: (error: unknown) => (wants(error) ? null : error),
    field: isWanted ? <CodeField autoFocus value={code} onChange={setCode} /> : null,
  }
}
