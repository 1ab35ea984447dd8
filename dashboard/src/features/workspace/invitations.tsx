import type { Role } from '@docent/contract'
import { Button, Modal, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApiList, useApiMutation } from '../../api.ts'
import { fieldError } from '../../client.ts'
import { Form } from '../../forms/form.tsx'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { Row, Rows } from '../../ui/lists/list.tsx'

/** Pending invitations; nothing if there are none. */
export function Invitations({ workspaceId }: { workspaceId: string }) {
  const { members: texts } = useTexts()
  const invitations = useApiList('GET /api/manage/v1/workspaces/{workspaceId}/invitations', { params: { workspaceId } })
  const withdraw = useApiMutation('DELETE /api/manage/v1/workspaces/{workspaceId}/invitations/{invitationId}', {
    done: texts.withdrawn,
  })
  if (invitations.items.length === 0) return null
  return (
    <Card title={texts.pendingTitle}>
      <Rows label={texts.pendingTitle}>
        {invitations.items.map(({ id, email, role, expires_at }) => (
          <Row
            key={id}
            title={email}
            meta={[texts.roles[role], <Time key="expires" time={expires_at} text={texts.expires} />]}
            end={
              <Button
                size="xs"
                variant="default"
                onClick={() => withdraw.mutate({ params: { workspaceId, invitationId: id } })}
              >
                {texts.withdraw}
              </Button>
            }
          />
        ))}
      </Rows>
    </Card>
  )
}

interface Props {
  workspaceId: string
  opened: boolean
  onClose: () => void
  onDone: (invitation: { link: string; sent: boolean }) => void
}

const ROLES: Role[] = ['owner', 'editor', 'agent', 'viewer']

export function InviteForm({ opened, onClose, ...props }: Props) {
  const { members: texts } = useTexts()
  return (
    <Modal opened={opened} onClose={onClose} title={texts.invite}>
      <Fields {...props} onClose={onClose} />
    </Modal>
  )
}

function Fields({ workspaceId, onClose, onDone }: Omit<Props, 'opened'>) {
  const { members: texts, auth } = useTexts()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('editor')
  const invite = useApiMutation('POST /api/manage/v1/workspaces/{workspaceId}/invitations', {
    silent: true,
    onDone: (invitation) => {
      onClose()
      onDone(invitation)
    },
  })
  return (
    <Form
      onCancel={onClose}
      action={texts.submit}
      pending={invite.isPending}
      error={invite.error}
      onSubmit={() => invite.mutate({ params: { workspaceId }, body: { email: email.trim(), role } })}
    >
      <TextInput
        label={auth.email}
        type="email"
        required
        data-autofocus
        value={email}
        error={fieldError(invite.error, 'email') ?? null}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <Select
        label={texts.role}
        description={texts.roleHints[role]}
        data={ROLES.map((value) => ({ value, label: texts.roles[value] }))}
        value={role}
        onChange={(value) => value && setRole(value as Role)}
      />
    </Form>
  )
}
