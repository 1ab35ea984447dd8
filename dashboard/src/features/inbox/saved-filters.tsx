import { ActionIcon, Button, Popover, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useApiMutation, useApiQuery } from '../../api.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useWorkspaceId } from '../bots/use-bot.ts'
import { type InboxFilter, toFilter, toQuery } from './filter.ts'

const ROUTE = '/api/manage/v1/workspaces/{workspaceId}/saved-filters'
const none: Record<keyof InboxFilter, string> = {
  show: '',
  channel: '',
  assignee: '',
  tag: '',
  bot: '',
  visitor: '',
  q: '',
  had: '',
  asked: '',
  since: '',
  until: '',
  tz: '',
}

interface Props {
  filter: InboxFilter
  onChange: (changes: Partial<Record<keyof InboxFilter, string>>) => void
}

/** Saved per user, on the server. */
export function SavedFilters({ filter, onChange }: Props) {
  const { team: texts } = useTexts()
  const params = { workspaceId: useWorkspaceId() }
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const { data } = useApiQuery(`GET ${ROUTE}`, { params }, { enabled: params.workspaceId !== '' })
  const save = useApiMutation(`PUT ${ROUTE}`, { done: texts.filterSaved, onDone: () => setName('') })
  const remove = useApiMutation(`PUT ${ROUTE}`)
  const filters = data?.filters ?? []
  const query = toQuery(filter)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const others = filters.filter((each) => each.name !== name.trim())
    save.mutate({ params, body: { filters: [...others, { name: name.trim(), query }] } })
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon
          variant="default"
          size="input-sm"
          aria-label={texts.saved}
          title={texts.saved}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="bookmark" size={16} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.saved}>
        <div className="stack tight">
          {filters.length === 0 && <p className="small quiet">{texts.noSaved}</p>}
          {filters.length > 0 && (
            <ul className="saved">
              {filters.map((each) => (
                <li key={each.name}>
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    onClick={() => {
                      onChange({ ...none, ...toFilter(each.query) })
                      setOpen(false)
                    }}
                  >
                    {each.name}
                  </Button>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={texts.removeSaved(each.name)}
                    onClick={() =>
                      remove.mutate({ params, body: { filters: filters.filter((other) => other !== each) } })
                    }
                  >
                    <Icon name="trash" size={16} />
                  </ActionIcon>
                </li>
              ))}
            </ul>
          )}
          {Object.keys(query).length > 0 && (
            <form className="menu-form" onSubmit={submit}>
              <TextInput
                size="xs"
                aria-label={texts.filterName}
                placeholder={texts.filterName}
                maxLength={200}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
              />
              <Button type="submit" size="xs" variant="default" disabled={!name.trim()} loading={save.isPending}>
                {texts.save}
              </Button>
            </form>
          )}
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
