import { Button } from '@mantine/core'
import { useApiList, useApiMutation } from '../../api.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { Row, Rows } from '../../ui/lists/rows.tsx'

/** Pending invitations; nothing if there are none. */
export function Invitations({ workspaceId }: { workspaceId: string }) {
  const { members: words } = useTexts()
  const invitations = useApiList('GET /api/manage/v1/workspaces/{workspaceId}/invitations', { params: { workspaceId } })
  const withdraw = useApiMutation('DELETE /api/manage/v1/workspaces/{workspaceId}/invitations/{invitationId}', {
    done: words.withdrawn,
  })
  if (invitations.items.length === 0) return null
  return (
    <Card title={words.pendingTitle}>
      <Rows label={words.pendingTitle}>
        {invitations.items.map(({ id, email, role, expires_at }) => (
          <Row
            key={id}
            title={email}
            meta={[words.roles[role], <Time key="expires" time={expires_at} text={words.expires} />]}
            end={
              <Button
                size="xs"
                variant="default"
                onClick={() => withdraw.mutate({ params: { workspaceId, invitationId: id } })}
              >
                {words.withdraw}
              </Button>
            }
          />
        ))}
      </Rows>
    </Card>
  )
}
