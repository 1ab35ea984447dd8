import { MultiSelect, Switch } from '@mantine/core'
import { texts } from '../inbox/queue-texts.ts'
import { INSTANCE_OWNER, useTeam } from '../inbox/use-team.ts'
import type { HandoverDraft } from './handover-draft.ts'

interface Props {
  draft: HandoverDraft
  change: (part: Partial<HandoverDraft>) => void
}

/** Who takes the conversations of the bot. */
export function TeamFields({ draft, change }: Props) {
  const agents = useTeam().agents.filter(({ id }) => id !== INSTANCE_OWNER)
  const agentIds = new Set(agents.map(({ id }) => id))
  return (
    <>
      <MultiSelect
        label={texts.teamMembers}
        description={texts.teamHint}
        placeholder={draft.team.length === 0 ? texts.everyone : ''}
        searchable
        data={agents.map(({ id, name }) => ({ value: id, label: name }))}
        // Who has left the workspace counts no more.
        value={draft.team.filter((id) => agentIds.has(id))}
        onChange={(team) => change({ team })}
      />
      <Switch
        label={texts.autoAssign}
        description={texts.autoAssignHint}
        checked={draft.autoAssign}
        onChange={(event) => change({ autoAssign: event.currentTarget.checked })}
      />
    </>
  )
}
