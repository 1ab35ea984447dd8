// What people are asked for when they come in or change their account: the same words and the same help everywhere.
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

/** With the rules for new ones, and what the server had against the last try. */
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

/** A code of the second factor, asked for once the server wants one. */
export function useCode() {
  const [code, setCode] = useState('')
  const [isWanted, setWanted] = useState(false)
  const wants = (error: unknown) => isError(error, 'second_factor_required')
  return {
    /** For the body of the request. */
    given: isWanted && code ? { code: code.trim() } : {},
    onError: (error: unknown) => wants(error) && setWanted(true),
    /** That a code is wanted is no mistake. */
    shown: (error: unknown) => (wants(error) ? null : error),
    field: isWanted ? <CodeField autoFocus value={code} onChange={setCode} /> : null,
  }
}
