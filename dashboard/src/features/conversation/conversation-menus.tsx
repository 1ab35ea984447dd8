// Menus to assign, snooze and tag a conversation, opened by click or keyboard shortcut.
import type { Conversation } from '@docent/contract'
import { TAG_LENGTH, TAGS_PER_CONVERSATION } from '@docent/contract/limits'
import { ActionIcon, Button, Menu, Modal, Popover, TagsInput, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { formatNumber } from '../../text/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Icon } from '../../ui/icon.tsx'
import { texts as queue } from '../inbox/queue-texts.ts'
import { useAgentPictures, useTeam } from '../inbox/use-team.ts'
import type { ConversationActions } from './use-conversation-actions.ts'

export type OpenMenu = 'assign' | 'snooze' | 'tag' | null

interface Props {
  conversation: Conversation
  actions: ConversationActions
  opened: boolean
  onChange: (isOpen: boolean) => void
}

export function AssignMenu({ conversation, actions, opened, onChange }: Props) {
  const { team: texts } = useTexts()
  const { me, agents } = useTeam()
  const pictureOf = useAgentPictures()
  const { assignee } = conversation
  // The user first, then who is available, then the agents with the fewest open conversations.
  const sortedAgents = [...agents].sort(
    (one, other) =>
      Number(other.id === me) - Number(one.id === me) ||
      Number(other.available) - Number(one.available) ||
      one.open - other.open,
  )
  return (
    <Menu opened={opened} onChange={onChange} position="bottom-end">
      <Menu.Target>
        <Button
          className="pane-assign"
          size="compact-sm"
          variant="default"
          leftSection={
            assignee ? (
              <Avatar name={assignee.name} id={assignee.id} small src={pictureOf(assignee.id)} />
            ) : (
              <Icon name="person" size={16} />
            )
          }
        >
          <span className="unseen">{assignee ? texts.assignedTo(assignee.name) : texts.assign}</span>
          <span className="clip-name" aria-hidden="true">
            {assignee ? assignee.name : texts.assign}
          </span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {sortedAgents.map(({ id, name, open, available }) => (
          <Menu.Item
            key={id}
            leftSection={<Avatar name={name} id={id} small src={pictureOf(id)} />}
            rightSection={
              <span className="small">
                {available ? texts.load(formatNumber(open)) : queue.awayWith(texts.load(formatNumber(open)))}
              </span>
            }
            {...(id === assignee?.id ? { 'aria-current': true } : {})}
            onClick={() => actions.assign(conversation, id)}
          >
            {id === me ? texts.me(name) : name}
          </Menu.Item>
        ))}
        {assignee && (
          <Menu.Item leftSection={<Icon name="close" size={16} />} onClick={() => actions.assign(conversation, null)}>
            {texts.unassign}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

export function SnoozeMenu({ conversation, actions, opened, onChange }: Props) {
  const { team: texts, general } = useTexts()
  const [until, setUntil] = useState('')
  const [picking, setPicking] = useState(false)
  const choices = [
    [texts.inAnHour, () => inHours(1)],
    [texts.inThreeHours, () => inHours(3)],
    [texts.tomorrow, () => atNine(1)],
    [texts.nextWeek, () => atNine((8 - new Date().getDay()) % 7 || 7)],
  ] as const
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!until) return
    actions.snooze(conversation, new Date(until))
    setPicking(false)
  }
  return (
    <>
      <Menu opened={opened} onChange={onChange} position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size="md" aria-label={texts.snooze} title={texts.snooze}>
            <Icon name="snooze" size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {conversation.status === 'snoozed' && (
            <Menu.Item
              leftSection={<Icon name="refresh" size={16} />}
              onClick={() => actions.snooze(conversation, null)}
            >
              {texts.wake}
            </Menu.Item>
          )}
          {choices.map(([label, time]) => (
            <Menu.Item key={label} onClick={() => actions.snooze(conversation, time())}>
              {label}
            </Menu.Item>
          ))}
          <Menu.Item onClick={() => setPicking(true)}>{texts.pickTime}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={picking} onClose={() => setPicking(false)} title={texts.snooze}>
        <form className="form" onSubmit={submit}>
          <TextInput
            type="datetime-local"
            label={texts.until}
            required
            data-autofocus
            min={localTime(new Date())}
            value={until}
            onChange={(event) => setUntil(event.currentTarget.value)}
          />
          <div className="form-end">
            <Button type="submit" disabled={!until}>
              {texts.snooze}
            </Button>
            <Button variant="default" onClick={() => setPicking(false)}>
              {general.cancel}
            </Button>
          </div>
        </form>
      </Modal>
    </>
  )
}

export function TagPopover({ conversation, actions, opened, onChange }: Props) {
  const { team: texts } = useTexts()
  const { tags } = useTeam()
  return (
    <Popover
      opened={opened}
      onChange={onChange}
      position="bottom-end"
      width={320}
      trapFocus
      returnFocus
      withRoles={false}
    >
      <Popover.Target>
        <ActionIcon
          variant="default"
          size="md"
          aria-label={texts.tags}
          title={texts.tags}
          aria-expanded={opened}
          onClick={() => onChange(!opened)}
        >
          <Icon name="tag" size={16} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={texts.tags}>
        <TagsInput
          data-autofocus
          aria-label={texts.addTag}
          placeholder={texts.addTag}
          maxTags={TAGS_PER_CONVERSATION}
          maxLength={TAG_LENGTH}
          data={tags.map(({ name }) => name)}
          value={conversation.tags}
          comboboxProps={{ withinPortal: false }}
          onChange={(next) => actions.tag(conversation, next)}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

function inHours(hours: number): Date {
  return new Date(Date.now() + hours * 3_600_000)
}

function atNine(days: number): Date {
  const day = new Date()
  day.setDate(day.getDate() + days)
  day.setHours(9, 0, 0, 0)
  return day
}

/** The value format of a datetime-local input. */
function localTime(time: Date): string {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
