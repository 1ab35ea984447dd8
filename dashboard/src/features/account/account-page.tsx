import { Button } from '@mantine/core'
import { useState } from 'react'
import { useApiList, useApiMutation, useApiQuery } from '../../api.ts'
import { isError } from '../../client.ts'
import { AvatarField } from '../../forms/avatar-field.tsx'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { Form } from '../../forms/form.tsx'
import { joinForms, SettingsForm } from '../../forms/settings-form.tsx'
import { useSession } from '../../session.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { List, Row } from '../../ui/lists/list.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { EmailField, NameField, NewPasswordField, PasswordField } from '../auth/account-fields.tsx'
import { useWorkspaceId } from '../bots/use-bot.ts'
import { INSTANCE_OWNER, pictureUrl, useTeam } from '../inbox/use-team.ts'
import { TwoFactor } from './two-factor.tsx'
import { useWorkingHours, WorkingHours } from './working-hours.tsx'

const AVATAR_ROUTE = '/api/manage/v1/workspaces/{workspaceId}/avatar'

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

/** The user's picture in the inbox of this workspace; only for agents. */
function OwnPicture() {
  const { account } = useTexts()
  const workspaceId = useWorkspaceId()
  const { me, agents } = useTeam()
  const ownAgent = agents.find(({ id }) => id === me)
  const change = useApiMutation(`POST ${AVATAR_ROUTE}`, { silent: true })
  const remove = useApiMutation(`DELETE ${AVATAR_ROUTE}`)
  // The instance owner is not necessarily a member.
  if (!ownAgent || me === INSTANCE_OWNER) return null
  const params = { workspaceId }
  return (
    <AvatarField
      label={account.picture}
      hint={account.pictureAbout}
      value={ownAgent.avatar}
      urlOf={(id) => pictureUrl(workspaceId, id)}
      send={(form) => change.mutateAsync({ params, body: form as never })}
      onChange={(id) => id === null && remove.mutate({ params })}
    />
  )
}

/** For accounts linked to the OpenID provider; they can be unlinked if password logins are enabled. */
function SingleSignOn() {
  const { account: texts } = useTexts()
  const { account, sso_name } = useSession()
  const { data: options } = useApiQuery('GET /api/manage/v1/setup', {})
  const [asking, setAsking] = useState(false)
  const unlink = useApiMutation('DELETE /api/manage/v1/account/sso', {
    done: texts.ssoUnlinked,
    onDone: () => setAsking(false),
  })
  if (!account.sso) return null
  const name = sso_name ?? texts.sso
  return (
    <Card split title={texts.sso} about={texts.ssoAbout(name)}>
      {options?.password_login && (
        <div className="form-end">
          <Button variant="default" onClick={() => setAsking(true)}>
            {texts.ssoUnlink}
          </Button>
        </div>
      )}
      <ConfirmDialog
        opened={asking}
        title={texts.ssoUnlink}
        action={texts.ssoUnlink}
        pending={unlink.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => unlink.mutate({})}
      >
        {texts.ssoUnlinkAbout(name)}
      </ConfirmDialog>
    </Card>
  )
}
