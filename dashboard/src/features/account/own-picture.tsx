import { useApiMutation } from '../../api.ts'
import { AvatarField } from '../../forms/avatar-field.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { useWorkspaceId } from '../bots/use-bot.ts'
import { INSTANCE_OWNER, pictureUrl, useTeam } from '../inbox/use-team.ts'

const ROUTE = '/api/manage/v1/workspaces/{workspaceId}/avatar'

/** The user's picture in the inbox of this workspace; only for agents. */
export function OwnPicture() {
  const { account } = useTexts()
  const workspaceId = useWorkspaceId()
  const { me, agents } = useTeam()
  const ownAgent = agents.find(({ id }) => id === me)
  const change = useApiMutation(`POST ${ROUTE}`, { silent: true })
  const remove = useApiMutation(`DELETE ${ROUTE}`)
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
