import { Button, Modal, PasswordInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useAct } from '../api.ts'
import { useMessages } from '../messages/messages.tsx'
import { useSession } from '../session.ts'
import { Card } from './card.tsx'
import { Code } from './code.tsx'
import { Form } from './form.tsx'
import { QrCode } from './qr-code.tsx'
import { SecretOnce } from './secret.tsx'
import { Status } from './status.tsx'

/** Switches the second factor on (a secret, a first code, recovery codes) and off (with the password). */
export function TwoFactor() {
  const { account: words, general } = useMessages()
  const { account } = useSession()
  const [begun, setBegun] = useState<{ secret: string; uri: string } | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const [ending, setEnding] = useState(false)
  const begin = useAct('POST /api/manage/v1/account/two-factor', { onDone: setBegun })
  return (
    <Card
      split
      title={words.twoFactor}
      about={account.two_factor ? words.twoFactorOn : words.twoFactorOff}
      actions={
        <Status tone={account.two_factor ? 'good' : 'quiet'}>{account.two_factor ? general.on : general.off}</Status>
      }
    >
      <div>
        {account.two_factor ? (
          <Button variant="default" onClick={() => setEnding(true)}>
            {words.end}
          </Button>
        ) : (
          <Button loading={begin.isPending} onClick={() => begin.mutate({})}>
            {words.begin}
          </Button>
        )}
      </div>
      <Modal opened={begun !== null} onClose={() => setBegun(null)} title={words.twoFactor}>
        {begun && (
          <Confirming
            {...begun}
            onDone={(fresh) => {
              setBegun(null)
              setCodes(fresh)
            }}
          />
        )}
      </Modal>
      <SecretOnce
        title={words.recovery}
        secrets={codes ? [{ label: words.recoveryAbout, value: codes.join('\n') }] : null}
        onClose={() => setCodes(null)}
      />
      <Modal opened={ending} onClose={() => setEnding(false)} title={words.end}>
        <Ending onDone={() => setEnding(false)} />
      </Modal>
    </Card>
  )
}

function Confirming({ secret, uri, onDone }: { secret: string; uri: string; onDone: (codes: string[]) => void }) {
  const { account } = useMessages()
  const [code, setCode] = useState('')
  const confirm = useAct('POST /api/manage/v1/account/two-factor/confirm', {
    silent: true,
    onDone: ({ recovery_codes }) => onDone(recovery_codes),
  })
  return (
    <Form
      action={account.confirm}
      pending={confirm.isPending}
      error={confirm.error}
      onSubmit={() => confirm.mutate({ body: { code: code.replace(/\s/g, '') } })}
    >
      <p>{account.scan}</p>
      <QrCode text={uri} label={account.qr} />
      <Code text={secret} />
      <TextInput
        label={account.firstCode}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        data-autofocus
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
    </Form>
  )
}

function Ending({ onDone }: { onDone: () => void }) {
  const { account } = useMessages()
  const [password, setPassword] = useState('')
  const end = useAct('DELETE /api/manage/v1/account/two-factor', { silent: true, done: account.ended, onDone })
  return (
    <Form
      action={account.end}
      pending={end.isPending}
      error={end.error}
      onSubmit={() => end.mutate({ body: { password } })}
    >
      <PasswordInput
        label={account.currentPassword}
        autoComplete="current-password"
        required
        data-autofocus
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
    </Form>
  )
}
