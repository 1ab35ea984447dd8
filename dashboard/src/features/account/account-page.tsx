import { Button } from '@mantine/core'
import { useState } from 'react'
import { useApiList, useApiMutation } from '../../api.ts'
import { isError } from '../../client.ts'
import { Form } from '../../forms/form.tsx'
import { joinForms, SettingsForm } from '../../forms/settings-form.tsx'
import { useSession } from '../../session.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { List } from '../../ui/lists/list.tsx'
import { Row } from '../../ui/lists/rows.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { EmailField, NameField, NewPasswordField, PasswordField } from '../auth/account-fields.tsx'
import { OwnPicture } from './own-picture.tsx'
import { SingleSignOn } from './single-sign-on.tsx'
import { TwoFactor } from './two-factor.tsx'
import { useWorkingHours, WorkingHours } from './working-hours.tsx'

export function AccountPage() {
  const { account } = useTexts()
  const { workspace_id } = useSession()
  return (
    <Page title={account.title}>
      <OwnSettings key={workspace_id} />
      <Password />
      <SingleSignOn />
      <TwoFactor />
      <Sessions />
    </Page>
  )
}

/** What is saved together: who the user is, and when they work. */
function OwnSettings() {
  const profile = useProfile()
  const workingHours = useWorkingHours()
  return (
    <SettingsForm isOwn {...joinForms(profile.form, workingHours.form)}>
      <Profile {...profile} />
      <WorkingHours {...workingHours} />
    </SettingsForm>
  )
}

function useProfile() {
  const { general } = useTexts()
  const { account } = useSession()
  const [name, setName] = useState(account.name)
  const [email, setEmail] = useState(account.email)
  const save = useApiMutation('PATCH /api/manage/v1/account', {
    done: general.saved,
    silent: true,
    onDone: (account) => {
      setName(account.name)
      // It changes once the link sent to it was opened.
      setEmail(account.email)
    },
  })
  const isTaken = isError(save.error, 'already_exists')
  return {
    name,
    setName,
    email,
    setEmail,
    isTaken,
    pendingEmail: save.data?.pending_email,
    form: {
      changed: name !== account.name || email !== account.email,
      valid: name.trim() !== '' && email.trim() !== '',
      pending: save.isPending,
      error: isTaken ? null : save.error,
      onSave: () => save.mutate({ body: { name, email } }),
      onDiscard: () => {
        save.reset()
        setName(account.name)
        setEmail(account.email)
      },
    },
  }
}

function Profile({ name, setName, email, setEmail, isTaken, pendingEmail }: ReturnType<typeof useProfile>) {
  const { account: texts } = useTexts()
  const { account, smtp } = useSession()
  return (
    <Card split title={texts.profile} about={texts.profileAbout(account.email)}>
      <OwnPicture />
      <NameField value={name} onChange={setName} />
      {pendingEmail && <Notice tone="good">{texts.emailSent(pendingEmail)}</Notice>}
      <EmailField
        description={smtp ? texts.emailAbout : texts.emailByOwner}
        disabled={!smtp}
        error={isTaken && texts.emailTaken}
        value={email}
        onChange={setEmail}
      />
    </Card>
  )
}

function Password() {
  const { account, auth } = useTexts()
  const [current, setCurrent] = useState('')
  const [newPassword, setNewPassword] = useState('')
  const change = useApiMutation('POST /api/manage/v1/account/password', {
    done: account.passwordChanged,
    silent: true,
    onDone: () => {
      setCurrent('')
      setNewPassword('')
    },
  })
  return (
    <Card split title={account.password} about={account.passwordAbout}>
      <Form
        action={account.changePassword}
        pending={change.isPending}
        error={change.error}
        onSubmit={() => change.mutate({ body: { current_password: current, new_password: newPassword } })}
      >
        <PasswordField label={account.currentPassword} value={current} onChange={setCurrent} />
        <NewPasswordField
          label={auth.newPassword}
          failure={change.error}
          path="new_password"
          value={newPassword}
          onChange={setNewPassword}
        />
      </Form>
    </Card>
  )
}

function Sessions() {
  const { account } = useTexts()
  const sessions = useApiList('GET /api/manage/v1/account/sessions', {})
  const end = useApiMutation('DELETE /api/manage/v1/account/sessions/{sessionId}', { done: account.sessionEnded })
  return (
    <Card split title={account.sessions}>
      <List label={account.sessions} list={sessions} empty={null}>
        {(session) => (
          <Row
            key={session.id}
            title={browserName(session.user_agent)}
            meta={[session.ip, <Time key="seen" time={session.last_seen_at} />]}
            end={
              session.current ? (
                <Status tone="good">{account.thisDevice}</Status>
              ) : (
                <Button variant="default" size="xs" onClick={() => end.mutate({ params: { sessionId: session.id } })}>
                  {account.endSession}
                </Button>
              )
            }
          />
        )}
      </List>
    </Card>
  )
}

/** "Firefox, Windows": the recognizable part of a user agent. */
function browserName(agent: string): string {
  const browser = ['Firefox', 'Edg', 'OPR', 'Chrome', 'Safari'].find((each) => agent.includes(each))
  const system = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS', 'Linux'].find((each) => agent.includes(each))
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS': 'macOS' }
  const deviceParts = [browser, system].filter((each) => each !== undefined).map((each) => names[each] ?? each)
  return deviceParts.length > 0 ? deviceParts.join(', ') : agent.slice(0, 80)
}
