import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { encode } from 'uqr'
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

/** Turns two-factor authentication on and off, and renews recovery codes. */
export function TwoFactor() {
  const { account: texts, general } = useTexts()
  const { account } = useSession()
  const [setup, setSetup] = useState<{ secret: string; uri: string } | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const [asking, setAsking] = useState<'end' | 'renew' | null>(null)
  const begin = useApiMutation('POST /api/manage/v1/account/two-factor', { onDone: setSetup })
  const end = useApiMutation('DELETE /api/manage/v1/account/two-factor', {
    done: texts.turnedOff,
    onDone: () => setAsking(null),
  })
  return (
    <Card
      split
      title={texts.twoFactor}
      about={account.two_factor ? texts.twoFactorOn : texts.twoFactorOff}
      actions={
        <Status tone={account.two_factor ? 'good' : 'quiet'}>{account.two_factor ? general.on : general.off}</Status>
      }
    >
      <div className="form-end">
        {account.two_factor ? (
          <>
            <Button variant="default" onClick={() => setAsking('renew')}>
              {texts.newCodes}
            </Button>
            <Button variant="default" onClick={() => setAsking('end')}>
              {texts.turnOff}
            </Button>
          </>
        ) : (
          <Button loading={begin.isPending} onClick={() => begin.mutate({})}>
            {texts.setUp}
          </Button>
        )}
      </div>
      <Modal opened={setup !== null} onClose={() => setSetup(null)} title={texts.twoFactor}>
        {setup && (
          <ConfirmCode
            {...setup}
            onCancel={() => setSetup(null)}
            onDone={(fresh) => {
              setSetup(null)
              setCodes(fresh)
            }}
          />
        )}
      </Modal>
      <SecretDialog
        title={texts.recovery}
        secrets={codes ? [{ label: texts.recoveryAbout, value: codes.join('\n') }] : null}
        onClose={() => setCodes(null)}
      />
      <ConfirmDialog
        opened={asking === 'end'}
        title={texts.turnOff}
        action={texts.turnOff}
        pending={end.isPending}
        onClose={() => setAsking(null)}
        onConfirm={() => end.mutate({ body: {} })}
      >
        {texts.turnOffAbout}
      </ConfirmDialog>
      <Modal opened={asking === 'renew'} onClose={() => setAsking(null)} title={texts.newCodes}>
        <RenewCodes
          onCancel={() => setAsking(null)}
          onDone={(fresh) => {
            setAsking(null)
            setCodes(fresh)
          }}
        />
      </Modal>
    </Card>
  )
}

interface CodeProps {
  onDone: (codes: string[]) => void
  onCancel: () => void
}

function ConfirmCode({ secret, uri, onDone, onCancel }: CodeProps & { secret: string; uri: string }) {
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
      onCancel={onCancel}
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

function RenewCodes({ onDone, onCancel }: CodeProps) {
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
      onCancel={onCancel}
      onSubmit={() => renew.mutate({ body: { code } })}
    >
      <p>{account.newCodesAbout}</p>
      <CodeField data-autofocus value={code} onChange={setCode} />
    </Form>
  )
}

/** Dark on white in both colour schemes, so that cameras can read it. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2 })
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg
      width={200}
      height={200}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
