import type { Member } from '@docent/contract'
import { Modal } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation } from '../../api.ts'
import { isError } from '../../client.ts'
import { Form } from '../../forms/form.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { EmailField } from '../auth/account-fields.tsx'

interface Props {
  workspaceId: string
  /** Null: closed. */
  member: Member | null
  onClose: () => void
}

/** For servers that cannot send email: an owner vouches for a member's new address. */
export function MemberEmailForm({ member, onClose, ...props }: Props) {
  const { members: texts } = useTexts()
  return (
    <Modal opened={member !== null} onClose={onClose} title={texts.changeEmail}>
      {member && <Fields {...props} member={member} onClose={onClose} />}
    </Modal>
  )
}

function Fields({ workspaceId, member, onClose }: Props & { member: Member }) {
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
