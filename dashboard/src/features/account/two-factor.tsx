import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation } from '../../api.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { Form } from '../../forms/form.tsx'
import { SecretDialog } from '../../forms/secret-dialog.tsx'
import { useSession } from '../../session.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Status } from '../../ui/status.tsx'
import { CodeField } from '../auth/account-fields.tsx'
import { QrCode } from './qr-code.tsx'

/** Turns two-factor authentication on and off, and renews recovery codes. */
export function TwoFactor() {
  const { account: words, general } = useTexts()
  const { account } = useSession()
  const [setup, setSetup] = useState<{ secret: string; uri: string } | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const [asking, setAsking] = useState<'end' | 'renew' | null>(null)
  const begin = useApiMutation('POST /api/manage/v1/account/two-factor', { onDone: setSetup })
  const end = useApiMutation('DELETE /api/manage/v1/account/two-factor', {
    done: words.turnedOff,
    onDone: () => setAsking(null),
  })
  return (
    <Card
      split
      title={words.twoFactor}
      about={account.two_factor ? words.twoFactorOn : words.twoFactorOff}
      actions={
        <Status tone={account.two_factor ? 'good' : 'quiet'}>{account.two_factor ? general.on : general.off}</Status>
      }
    >
      <div className="form-end">
        {account.two_factor ? (
          <>
            <Button variant="default" onClick={() => setAsking('renew')}>
              {words.newCodes}
            </Button>
            <Button variant="default" onClick={() => setAsking('end')}>
              {words.turnOff}
            </Button>
          </>
        ) : (
          <Button loading={begin.isPending} onClick={() => begin.mutate({})}>
            {words.setUp}
          </Button>
        )}
      </div>
      <Modal opened={setup !== null} onClose={() => setSetup(null)} title={words.twoFactor}>
        {setup && (
          <ConfirmCode
            {...setup}
            onDone={(fresh) => {
              setSetup(null)
              setCodes(fresh)
            }}
          />
        )}
      </Modal>
      <SecretDialog
        title={words.recovery}
        secrets={codes ? [{ label: words.recoveryAbout, value: codes.join('\n') }] : null}
        onClose={() => setCodes(null)}
      />
      <ConfirmDialog
        opened={asking === 'end'}
        title={words.turnOff}
        action={words.turnOff}
        pending={end.isPending}
        onClose={() => setAsking(null)}
        onConfirm={() => end.mutate({ body: {} })}
      >
        {words.turnOffAbout}
      </ConfirmDialog>
      <Modal opened={asking === 'renew'} onClose={() => setAsking(null)} title={words.newCodes}>
        <RenewCodes
          onDone={(fresh) => {
            setAsking(null)
            setCodes(fresh)
          }}
        />
      </Modal>
    </Card>
  )
}

function ConfirmCode({ secret, uri, onDone }: { secret: string; uri: string; onDone: (codes: string[]) => void }) {
  const { account } = useTexts()
  const [code, setCode] = useState('')
  const confirm = useApiMutation('POST /api/manage/v1/account/two-factor/confirm', {
    silent: true,
    onDone: ({ recovery_codes }) => onDone(recovery_codes),
  })
  return (
    <Form
      action={account.turnOn}
      pending={confirm.isPending}
      error={confirm.error}
      onSubmit={() => confirm.mutate({ body: { code: code.replace(/\s/g, '') } })}
    >
      <p>{account.scan}</p>
      <QrCode text={uri} label={account.qr} />
      <CodeBlock text={secret} />
      <CodeField
        label={account.firstCode}
        description={null}
        inputMode="numeric"
        data-autofocus
        value={code}
        onChange={setCode}
      />
    </Form>
  )
}

function RenewCodes({ onDone }: { onDone: (codes: string[]) => void }) {
  const { account } = useTexts()
  const [code, setCode] = useState('')
  const renew = useApiMutation('POST /api/manage/v1/account/two-factor/recovery-codes', {
    silent: true,
    onDone: ({ recovery_codes }) => onDone(recovery_codes),
  })
  return (
    <Form
      action={account.newCodes}
      pending={renew.isPending}
      error={renew.error}
      onSubmit={() => renew.mutate({ body: { code } })}
    >
      <p>{account.newCodesAbout}</p>
      <CodeField data-autofocus value={code} onChange={setCode} />
    </Form>
  )
}
