import type { ConversationSummary } from '@docent/contract'
import { Button, Checkbox } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Icon } from '../../ui/icon.tsx'
import { isShiftClick } from '../../ui/lists/list-table.tsx'
import { SelectionBar } from '../../ui/lists/selection-bar.tsx'
import type { useSelection } from '../../ui/lists/use-selection.ts'
import { LoadError, LoadingRows } from '../../ui/loading.tsx'
import { ConversationStatus, visitorLabel } from '../conversation/conversation-status.tsx'
import { Level } from '../identity/level.tsx'
import type { InboxFilter } from './filter.ts'
import { texts as queue } from './queue-texts.ts'
import { useBulkActions } from './use-bulk-actions.tsx'
import type { useConversations } from './use-conversations.ts'
import { conversationPath } from './use-inbox-scope.ts'
import { useAgentPictures, useBotNames } from './use-team.ts'
import { WaitingClock } from './waiting-clock.tsx'

interface Props {
  list: ReturnType<typeof useConversations>
  filter: InboxFilter
  chosen: string | undefined
  selection: ReturnType<typeof useSelection<ConversationSummary>>
  /** Called after a bulk action, with the deleted conversations. */
  onDone: (deletedItems: ConversationSummary[]) => void
  empty: ReactNode
}

export function ConversationList({ list, filter, chosen, selection, onDone, empty }: Props) {
  const { inbox: texts, lists } = useTexts()
  const { bulk, dialog } = useBulkActions(onDone, selection.chosen.size)
  const botNames = useBotNames()
  const pictureOf = useAgentPictures()
  const rows = useRef<HTMLUListElement>(null)
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  useEffect(() => {
    rows.current?.querySelector('[aria-current="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  if (list.isPending) return <LoadingRows count={6} />
  if (list.error && list.items.length === 0) return <LoadError error={list.error} onRetry={() => list.refetch()} />
  if (list.items.length === 0) return empty
  const more = async () => {
    await list.fetchNextPage()
    // The top may have changed while the page was loading.
    await list.refresh()
  }
  const chosenRows = list.items.filter(({ id }) => selection.chosen.has(id))
  // Use the latest state where loaded; a selected conversation may be further down.
  const rowsById = new Map(list.items.map((each) => [each.id, each]))
  const chosenItems = [...selection.chosen.values()].map((each) => rowsById.get(each.id) ?? each)
  const isAll = chosenRows.length === list.items.length
  return (
    <>
      <div className="threads-bar">
        <Checkbox
          size="xs"
          {...(chosenItems.length === 0 ? { label: lists.chooseAll } : { 'aria-label': lists.chooseAll })}
          checked={isAll}
          indeterminate={chosenItems.length > 0 && !isAll}
          onChange={() => selection.choose(isAll ? [] : list.items)}
        />
        {chosenItems.length === 0 ? (
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<Icon name="download" size={14} />}
            component="a"
            href={list.csvUrl}
            download
          >
            {lists.csv}
          </Button>
        ) : (
          <SelectionBar
            items={chosenItems}
            bulk={bulk}
            more={list.hasNextPage && isAll && chosenItems.length === list.items.length}
            total={undefined}
            readAll={list.readAll}
            onChoose={selection.choose}
            onFinish={selection.finish}
          />
        )}
      </div>
      {dialog}
      <div ref={setScroller} className="threads-scroll">
        <ul ref={rows} className="threads" aria-label={texts.list}>
          {list.items.map((each) => (
            <Thread
              key={each.id}
              path={conversationPath(each)}
              botName={filter.bot ? null : (botNames.get(each.bot_id) ?? null)}
              conversation={each}
              assigneePicture={each.assignee && pictureOf(each.assignee.id)}
              filter={filter}
              isChosen={each.id === chosen}
              isTicked={selection.chosen.has(each.id)}
              onTick={(isRange) => selection.toggle(each, isRange ? list.items : undefined)}
            />
          ))}
        </ul>
        {list.hasNextPage && <LoadMore root={scroller} isLoading={list.isFetchingNextPage} onMore={more} />}
      </div>
    </>
  )
}

interface LoadMoreProps {
  /** What scrolls: the margin is measured from it. */
  root: HTMLElement | null
  isLoading: boolean
  onMore: () => Promise<void>
}

/** Loads on before it is scrolled into view; the button is for those who do not scroll, and after an error. */
function LoadMore({ root, isLoading, onMore }: LoadMoreProps) {
  const { general } = useTexts()
  const { ref, entry } = useIntersection({ root, rootMargin: '400px' })
  const isNear = entry?.isIntersecting === true
  useEffect(() => {
    if (isNear && !isLoading) void onMore()
  }, [isNear])
  return (
    <Button ref={ref} variant="default" fullWidth loading={isLoading} onClick={() => void onMore()}>
      {general.more}
    </Button>
  )
}

interface ThreadProps {
  path: string
  /** Null if all conversations belong to one bot. */
  botName: string | null
  conversation: ConversationSummary
  assigneePicture: string | null
  filter: InboxFilter
  isChosen: boolean
  isTicked: boolean
  onTick: (isRange: boolean) => void
}

function Thread({ path, botName, conversation, assigneePicture, filter, isChosen, isTicked, onTick }: ThreadProps) {
  const allTexts = useTexts()
  const { inbox: texts, team, lists } = allTexts
  const { unread, last_visitor_message: visitorMessage, last_message: last, assignee, tags, waiting } = conversation
  return (
    <li className="thread-row">
      <Checkbox
        size="xs"
        aria-label={lists.choose(visitorLabel(conversation, allTexts))}
        checked={isTicked}
        onChange={({ nativeEvent }) => onTick(isShiftClick(nativeEvent))}
      />
      <Link
        to={path}
        search={filter as never}
        className="thread"
        preload={false}
        aria-current={isChosen ? 'true' : undefined}
        data-unread={unread || undefined}
        data-waiting={waiting ? '' : undefined}
      >
        <span className="thread-head">
          <Avatar name={visitorLabel(conversation, allTexts)} id={conversation.visitor?.id ?? conversation.id} small />
          <strong className="thread-name" dir="auto">
            {visitorLabel(conversation, allTexts)}
          </strong>
          {conversation.mention === 'unread' && (
            <span className="thread-new" title={queue.mentioned}>
              <span aria-hidden="true">@</span>
              <span className="unseen">{queue.mentioned}</span>
            </span>
          )}
          {unread && <span className="thread-new">{texts.unread}</span>}
          <span className="small quiet">
            <Time time={conversation.updated_at} />
          </span>
        </span>
        <span className="thread-text" dir="auto">
          {visitorMessage ? visitorMessage.text : last && `${texts.lastBy[last.role]}${last.text}`}
        </span>
        <span className="inline thread-foot">
          {conversation.visitor?.level === 'verified' && <Level level="verified" />}
          {waiting ? <WaitingClock waiting={waiting} /> : <ConversationStatus conversation={conversation} />}
          {botName && <span className="small quiet thread-bot">{botName}</span>}
          {visitorMessage?.unverified && (
            <span className="small quiet" title={texts.unverifiedWhy}>
              {texts.unverified}
            </span>
          )}
          {conversation.channel === 'api' && <span className="small quiet">{texts.channels.api}</span>}
          {tags.map((tag) => (
            <span key={tag} className="tag small">
              {tag}
            </span>
          ))}
          {assignee && (
            <span className="thread-assignee" title={team.assignedTo(assignee.name)}>
              <Avatar name={assignee.name} id={assignee.id} small src={assigneePicture} />
              <span className="unseen">{team.assignedTo(assignee.name)}</span>
            </span>
          )}
        </span>
      </Link>
    </li>
  )
}
