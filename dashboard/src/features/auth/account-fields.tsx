// Fields for logins and accounts, with the same labels and hints everywhere.
import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { fieldError, isError } from '../../client.ts'
import { useTexts } from '../../texts/texts.tsx'

interface InputState {
  value: string
  onChange: (value: string) => void
}

type TextProps = InputState & Omit<TextInputProps, keyof InputState>
type PasswordProps = InputState & Omit<PasswordInputProps, keyof InputState>

function Text({ onChange, ...props }: TextProps) {
  return <TextInput required onChange={(event) => onChange(event.currentTarget.value)} {...props} />
}

function Password({ onChange, ...props }: PasswordProps) {
  return (
    <PasswordInput
      required
      aria-invalid={Boolean(props.error)}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...props}
    />
  )
}

export function NameField(props: TextProps) {
  return <Text label={useTexts().auth.yourName} autoComplete="name" {...props} />
}

export function EmailField(props: TextProps) {
  return <Text label={useTexts().auth.email} type="email" autoComplete="username" {...props} />
}

export function PasswordField(props: PasswordProps) {
  return <Password label={useTexts().auth.password} autoComplete="current-password" {...props} />
}

/** Shows the rules for new passwords and the server's error. */
export function NewPasswordField({ failure, path, ...props }: PasswordProps & { failure: unknown; path: string }) {
  const { auth } = useTexts()
  const error = fieldError(failure, path) ?? null
  const field = { label: auth.password, description: auth.passwordHint, error }
  return <Password {...field} autoComplete="new-password" {...props} />
}

export function CodeField(props: TextProps) {
  const { auth } = useTexts()
  return <Text label={auth.code} description={auth.codeHint} autoComplete="one-time-code" {...props} />
}

/** The two-factor code, requested once the server requires it. */
export function useTwoFactorCode() {
  const [code, setCode] = useState('')
  const [isWanted, setWanted] = useState(false)
  const isCodeRequired = (error: unknown) => isError(error, 'second_factor_required')
  return {
    /** Spread into the request body. */
    body: isWanted && code ? { code: code.trim() } : {},
    onError: (error: unknown) => isCodeRequired(error) && setWanted(true),
    /** The request for a code is not shown as an error. */
    shown: (error: unknown) => (isCodeRequired(error) ? null : error),
    field: isWanted ? <CodeField autoFocus value={code} onChange={setCode} /> : null,
  }
}
