import type { Member } from '@docent/contract'
import { Button, Modal, Select } from '@mantine/core'
import { useState } from 'react'
import { useApiList, useApiMutation } from '../../api.ts'
import { isError } from '../../client.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { Form } from '../../forms/form.tsx'
import { SecretDialog } from '../../forms/secret-dialog.tsx'
import { useHasRole, useSession } from '../../session.ts'
import { useTexts } from '../../texts/texts.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { List, Row } from '../../ui/lists/list.tsx'
import { RowMenu } from '../../ui/lists/row-menu.tsx'
import { Page } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { EmailField } from '../auth/account-fields.tsx'
import { texts as queue } from '../inbox/queue-texts.ts'
import { useTeam } from '../inbox/use-team.ts'
import { Invitations, InviteForm } from './invitations.tsx'

export function MembersPage() {
  const { members: texts, general } = useTexts()
  const workspaceId = useSession().workspace_id ?? ''
  const mayManage = useHasRole('owner')
  const [inviting, setInviting] = useState(false)
  const [asking, setAsking] = useState<{ what: 'remove' | 'twoFactor' | 'email'; member: Member } | null>(null)
  const [link, setLink] = useState<{ title: string; about: string; link: string } | null>(null)
  const { agents } = useTeam()
  const members = useApiList('GET /api/manage/v1/workspaces/{workspaceId}/members', { params: { workspaceId } })
  const remove = useApiMutation('DELETE /api/manage/v1/workspaces/{workspaceId}/members/{memberId}', {
    done: general.removed,
    onDone: () => setAsking(null),
  })
  const endTwoFactor = useApiMutation('DELETE /api/manage/v1/workspaces/{workspaceId}/members/{memberId}/two-factor', {
    done: texts.twoFactorOff,
    onDone: () => setAsking(null),
  })
  const params = { workspaceId, memberId: asking?.member.id ?? '' }
  return (
    <Page
      title={texts.title}
      about={texts.about}
      actions={
        mayManage && (
          <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setInviting(true)}>
            {texts.invite}
          </Button>
        )
      }
    >
      <List
        label={texts.title}
        list={members}
        empty={<EmptyState icon="people" title={texts.emptyTitle} about={texts.emptyAbout} />}
      >
        {(member) => (
          <MemberRow
            key={member.id}
            workspaceId={workspaceId}
            member={member}
            isAway={member.has_account && agents.some(({ id, available }) => id === member.id && !available)}
            mayManage={mayManage}
            onAsk={(what) => setAsking({ what, member })}
            onLink={(fresh) => setLink({ title: texts.newResetLink, about: texts.resetLinkAbout, link: fresh })}
          />
        )}
      </List>
      {mayManage && <Invitations workspaceId={workspaceId} />}
      <InviteForm
        workspaceId={workspaceId}
        opened={inviting}
        onClose={() => setInviting(false)}
        onDone={(invitation) =>
          setLink({
            title: texts.invited,
            about: invitation.sent ? `${texts.invitedAbout} ${texts.invitedSent}` : texts.invitedAbout,
            link: invitation.link,
          })
        }
      />
      <ConfirmDialog
        opened={asking?.what === 'remove'}
        title={texts.removeTitle(asking?.member.name ?? '')}
        action={texts.remove}
        pending={remove.isPending}
        onClose={() => setAsking(null)}
        onConfirm={() => remove.mutate({ params })}
      >
        {texts.removeAbout}
      </ConfirmDialog>
      <ConfirmDialog
        opened={asking?.what === 'twoFactor'}
        title={texts.turnOffTwoFactorTitle(asking?.member.name ?? '')}
        action={texts.turnOffTwoFactor}
        pending={endTwoFactor.isPending}
        onClose={() => setAsking(null)}
        onConfirm={() => endTwoFactor.mutate({ params })}
      >
        {texts.turnOffTwoFactorAbout}
      </ConfirmDialog>
      <MemberEmailForm
        workspaceId={workspaceId}
        member={asking?.what === 'email' ? asking.member : null}
        onClose={() => setAsking(null)}
      />
      <SecretDialog
        title={link?.title ?? ''}
        secrets={link ? [{ label: link.about, value: link.link }] : null}
        onClose={() => setLink(null)}
      />
    </Page>
  )
}

interface RowProps {
  workspaceId: string
  member: Member
  isAway: boolean
  mayManage: boolean
  onAsk: (what: 'remove' | 'twoFactor' | 'email') => void
  onLink: (link: string) => void
}

function MemberRow({ workspaceId, member, isAway, mayManage, onAsk, onLink }: RowProps) {
  const { members: texts, general } = useTexts()
  const { account, smtp, instance_owner: isInstanceOwner } = useSession()
  const params = { workspaceId, memberId: member.id }
  const change = useApiMutation('PATCH /api/manage/v1/workspaces/{workspaceId}/members/{memberId}', {
    done: general.saved,
  })
  const reset = useApiMutation('POST /api/manage/v1/workspaces/{workspaceId}/members/{memberId}/reset-link', {
    onDone: ({ link }) => onLink(link),
  })
  const roles = Object.entries(texts.roles).map(([value, label]) => ({ value, label }))
  const isYou = account.email === member.email
  return (
    <Row
      title={isYou ? `${member.name} (${texts.you})` : member.name}
      meta={[member.email, member.two_factor && texts.twoFactor, isAway && queue.away]}
      end={
        mayManage ? (
          <>
            <Select
              aria-label={`${texts.role}: ${member.name}`}
              size="xs"
              w={110}
              data={roles}
              value={member.role}
              onChange={(role) => role && change.mutate({ params, body: { role: role as Member['role'] } })}
            />
            <RowMenu
              name={member.name}
              actions={[
                // The server does not allow this for oneself.
                ...(isYou
                  ? []
                  : [{ icon: 'lock' as const, label: texts.resetLink, onClick: () => reset.mutate({ params }) }]),
                ...(smtp || !member.has_account || (isYou && !isInstanceOwner)
                  ? []
                  : [{ icon: 'pencil' as const, label: texts.changeEmail, onClick: () => onAsk('email') }]),
                ...(member.two_factor && !isYou
                  ? [{ icon: 'shield' as const, label: texts.turnOffTwoFactor, onClick: () => onAsk('twoFactor') }]
                  : []),
                { icon: 'trash', label: texts.remove, onClick: () => onAsk('remove'), destroys: true },
              ]}
            />
          </>
        ) : (
          <Status tone="quiet">{texts.roles[member.role]}</Status>
        )
      }
    />
  )
}

interface EmailFormProps {
  workspaceId: string
  /** Null: closed. */
  member: Member | null
  onClose: () => void
}

/** For servers that cannot send email: an owner vouches for a member's new address. */
function MemberEmailForm({ member, onClose, ...props }: EmailFormProps) {
  const { members: texts } = useTexts()
  return (
    <Modal opened={member !== null} onClose={onClose} title={texts.changeEmail}>
      {member && <EmailFields {...props} member={member} onClose={onClose} />}
    </Modal>
  )
}

function EmailFields({ workspaceId, member, onClose }: EmailFormProps & { member: Member }) {
  const { members: texts, general, account } = useTexts()
  const [email, setEmail] = useState(member.email)
  const change = useApiMutation('POST /api/manage/v1/workspaces/{workspaceId}/members/{memberId}/email', {
    done: general.saved,
    silent: true,
    onDone: onClose,
  })
  const isTaken = isError(change.error, 'already_exists')
  return (
    <Form
      onCancel={onClose}
      action={texts.changeEmail}
      pending={change.isPending}
      error={isTaken ? null : change.error}
      disabled={email.trim() === '' || email === member.email}
      onSubmit={() => change.mutate({ params: { workspaceId, memberId: member.id }, body: { email: email.trim() } })}
    >
      <EmailField
        autoFocus
        description={texts.changeEmailAbout}
        error={isTaken && account.emailTaken}
        value={email}
        onChange={setEmail}
      />
    </Form>
  )
}
