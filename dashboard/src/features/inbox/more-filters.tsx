import { ActionIcon, Popover, Select } from '@mantine/core'
import { useTexts } from '../../texts/texts.tsx'
import { Icon } from '../../ui/icon.tsx'
import { CHANNELS, type InboxFilter } from './filter.ts'
import { useTeam } from './use-team.ts'

interface Props {
  filter: InboxFilter
  onChange: (changes: Partial<Record<keyof InboxFilter, string>>) => void
}

/** Filters by assignee, tag and channel. */
export function MoreFilters({ filter, onChange }: Props) {
  const { inbox: texts, team } = useTexts()
  const { me, agents, tags } = useTeam()
  const fields = [
    {
      name: 'assignee',
      label: team.assignee,
      any: team.anyone,
      choices: [
        { value: 'none', label: team.nobody },
        ...agents.map(({ id, name }) => ({ value: id, label: id === me ? team.me(name) : name })),
      ],
    },
    {
      name: 'tag',
      label: team.tag,
      any: team.anyTag,
      choices: tags.map(({ name }) => ({ value: name, label: name })),
    },
    {
      name: 'channel',
      label: texts.channel,
      any: texts.channels.any,
      choices: CHANNELS.map((value) => ({ value: value as string, label: texts.channels[value] })),
    },
  ] as const
  const count = fields.filter(({ name }) => filter[name as keyof InboxFilter]).length
  return (
    <Popover position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon variant={count > 0 ? 'light' : 'default'} size="input-sm" title={team.more}>
          <Icon name="filter" size={16} />
          <span className="unseen">{team.more}</span>
          {count > 0 && <span className="filter-count">{count}</span>}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={team.more}>
        <div className="stack tight">
          {fields.map(({ name, label, any, choices }) => (
            <Select
              key={name}
              size="xs"
              label={label}
              data={[{ value: '', label: any }, ...choices]}
              value={filter[name as keyof InboxFilter] ?? ''}
              comboboxProps={{ withinPortal: false }}
              onChange={(value) => onChange({ [name]: value ?? '' })}
            />
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
