import type { Conversation } from '@docent/contract'
import { ActionIcon, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTexts } from '../../texts/texts.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Level } from '../identity/level.tsx'
import type { InboxFilter } from '../inbox/filter.ts'
import { WaitingClock } from '../inbox/waiting-clock.tsx'
import { AssignMenu, type OpenMenu, SnoozeMenu, TagPopover } from './conversation-menus.tsx'
import { ConversationStatus, visitorLabel } from './conversation-status.tsx'
import type { ConversationActions } from './use-conversation-actions.ts'

interface Props {
  back: string
  filter: InboxFilter
  conversation: Conversation
  actions: ConversationActions
  menu: OpenMenu
  onMenu: (menu: OpenMenu) => void
  /** Null if the details are shown next to the messages. */
  onDetails: (() => void) | null
}

export function ConversationHead({ back, filter, conversation, actions, menu, onMenu, onDetails }: Props) {
  const allTexts = useTexts()
  const { inbox: texts } = allTexts
  const heading = useRef<HTMLHeadingElement>(null)
  const { mayAct, mayAccept, mayClose, acceptLabel } = actions.permissions(conversation)
  useEffect(() => {
    // On phones, the focused list is no longer on the screen.
    if (window.matchMedia('(max-width: 55em)').matches) heading.current?.focus({ preventScroll: true })
  }, [])
  const menuOf = (name: Exclude<OpenMenu, null>) => ({
    conversation,
    actions,
    opened: menu === name,
    onChange: (isOpen: boolean) => onMenu(isOpen ? name : null),
  })
  return (
    <header className="pane-head">
      <Link to={back} search={filter as never} className="pane-back" aria-label={texts.back}>
        <Icon name="left" />
      </Link>
      <div className="pane-who">
        <h2 ref={heading} tabIndex={-1} dir="auto">
          {visitorLabel(conversation, allTexts)}
        </h2>
        {conversation.visitor?.level === 'verified' && <Level level="verified" />}
        {conversation.waiting ? (
          <WaitingClock waiting={conversation.waiting} />
        ) : (
          <ConversationStatus conversation={conversation} />
        )}
      </div>
      {mayAct && (
        <div className="pane-actions">
          {mayAccept && (
            <Button
              size="compact-sm"
              variant={conversation.handover.status === 'requested' ? 'filled' : 'default'}
              loading={actions.isPending}
              onClick={() => actions.accept(conversation)}
            >
              {acceptLabel}
            </Button>
          )}
          <AssignMenu {...menuOf('assign')} />
          <TagPopover {...menuOf('tag')} />
          <SnoozeMenu {...menuOf('snooze')} />
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<Icon name={conversation.status === 'resolved' ? 'refresh' : 'check'} size={16} />}
            loading={actions.isPending}
            onClick={() => actions.resolve(conversation)}
          >
            {actions.label(conversation)}
          </Button>
          {mayClose && (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<Icon name="bots" size={16} />}
              loading={actions.isPending}
              onClick={() => actions.close(conversation)}
            >
              {texts.handBack}
            </Button>
          )}
        </div>
      )}
      {onDetails && (
        <ActionIcon
          className="pane-info"
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={texts.details}
          onClick={onDetails}
        >
          <Icon name="info" />
        </ActionIcon>
      )}
    </header>
  )
}
