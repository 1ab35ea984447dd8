import { ActionIcon, Popover, Select, TextInput } from '@mantine/core'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { formatSpan } from '../../text/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Icon } from '../../ui/icon.tsx'
import { CHANNELS, type InboxFilter } from './filter.ts'
import { SavedFilters } from './saved-filters.tsx'
import { useBotNames, useTeam } from './use-team.ts'
import { Views } from './views.tsx'

interface Props {
  filter: InboxFilter
  onChange: (changes: Partial<Record<keyof InboxFilter, string>>) => void
  search: RefObject<HTMLInputElement | null>
}

const DEBOUNCE_MS = 300

export function Filters({ filter, onChange, search }: Props) {
  const { inbox: texts, team } = useTexts()
  const botNames = useBotNames()
  const [text, setText] = useState(filter.q ?? '')
  const sentText = useRef(text)
  useEffect(() => {
    if (text.trim() === sentText.current) return
    const rest = setTimeout(() => {
      sentText.current = text.trim()
      onChange({ q: sentText.current })
    }, DEBOUNCE_MS)
    return () => clearTimeout(rest)
  }, [text])
  useEffect(() => {
    // The URL has another search than the one entered here: a link was followed.
    if ((filter.q ?? '') === sentText.current) return
    sentText.current = filter.q ?? ''
    setText(sentText.current)
  }, [filter.q])
  /** Reached from a figure of the analytics. */
  const isFigure = filter.had || filter.asked || filter.since
  return (
    <div className="stack tight">
      {botNames.size > 1 && (
        <Select
          aria-label={team.bot}
          data={[{ value: '', label: team.anyBot }, ...[...botNames].map(([value, label]) => ({ value, label }))]}
          value={filter.bot ?? ''}
          onChange={(bot) => onChange({ bot: bot ?? '' })}
        />
      )}
      <div className="inbox-search">
        <TextInput
          ref={search}
          type="search"
          aria-label={texts.search}
          placeholder={texts.search}
          leftSection={<Icon name="search" size={16} />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <MoreFilters filter={filter} onChange={onChange} />
        <SavedFilters filter={filter} onChange={onChange} />
      </div>
      {(filter.visitor || isFigure) && (
        <div className="chips">
          {filter.visitor && (
            <button type="button" className="chip" aria-pressed="true" onClick={() => onChange({ visitor: '' })}>
              {texts.oneVisitor}
              <Icon name="close" size={14} />
              <span className="unseen">{texts.allVisitors}</span>
            </button>
          )}
          {isFigure && (
            <button
              type="button"
              className="chip"
              aria-pressed="true"
              onClick={() => onChange({ had: '', asked: '', since: '', until: '', tz: '' })}
            >
              <span className="chip-text">
                {[
                  filter.asked ? `“${filter.asked}”` : texts.had[filter.had ?? 'conversation'],
                  filter.since && filter.until ? formatSpan(filter.since, filter.until, filter.tz) : '',
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
              <Icon name="close" size={14} />
              <span className="unseen">{texts.anyTime}</span>
            </button>
          )}
        </div>
      )}
      <Views filter={filter} onChange={onChange} />
    </div>
  )
}

interface MoreFiltersProps {
  filter: InboxFilter
  onChange: (changes: Partial<Record<keyof InboxFilter, string>>) => void
}

/** Filters by assignee, tag and channel. */
function MoreFilters({ filter, onChange }: MoreFiltersProps) {
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
