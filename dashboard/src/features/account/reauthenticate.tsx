// The dialog for the password that the server requires again before some actions.
import { Modal } from '@mantine/core'
import { useState, useSyncExternalStore } from 'react'
import { client, fieldError } from '../../client.ts'
import { Form } from '../../forms/form.tsx'
import { closePrompt, isPromptOpen, subscribeToPrompt } from '../../forms/password-prompt.ts'
import { useSession } from '../../session.ts'
import { useTexts } from '../../texts/texts.tsx'
import { CodeField, PasswordField } from '../auth/account-fields.tsx'

export function Reauthenticate() {
  const { account: texts } = useTexts()
  const isOpen = useSyncExternalStore(subscribeToPrompt, isPromptOpen)
  return (
    <Modal opened={isOpen} onClose={() => closePrompt(false)} title={texts.confirmTitle} zIndex={300}>
      {isOpen && <PasswordForm />}
    </Modal>
  )
}

function PasswordForm() {
  const { account: texts, auth } = useTexts()
  const { account, sso_name } = useSession()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const submit = async () => {
    setPending(true)
    try {
      const body = { password, ...(account.two_factor ? { code: code.trim() } : {}) }
      await client.request('POST /api/manage/v1/session/reauthenticate', { body })
      closePrompt(true)
    } catch (failure) {
      setError(failure)
      setPending(false)
    }
  }
  const isWrong = (path: string) => fieldError(error, path) !== undefined
  const wrong = { password: isWrong('password'), code: isWrong('code') }
  return (
    <Form
      action={texts.confirmAction}
      pending={pending}
      error={wrong.password || wrong.code ? null : error}
      onCancel={() => closePrompt(false)}
      onSubmit={() => void submit()}
    >
      <p>{texts.confirmAbout}</p>
      <PasswordField
        label={auth.password}
        error={wrong.password && texts.wrongPassword}
        data-autofocus
        value={password}
        onChange={setPassword}
      />
      {sso_name && (
        <a href={`/auth/oidc?confirm=1&next=${encodeURIComponent(location.pathname + location.search)}`}>
          {texts.confirmWith(sso_name)}
        </a>
      )}
      {account.two_factor && <CodeField error={wrong.code && texts.wrongCode} value={code} onChange={setCode} />}
    </Form>
  )
}
