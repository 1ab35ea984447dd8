// Bulk actions on conversations. Resolving, reopening and assigning name the state on the screen, so that they undo
// nothing that someone else did in the meantime.
import type { ConversationSummary, PatchConversation } from '@docent/contract'
import { TAG_LENGTH, TAGS_PER_CONVERSATION } from '@docent/contract/limits'
import { Button, Modal, Select, TagsInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useBulkMutation } from '../../api.ts'
import { client } from '../../client.ts'
import { useConfirmedAction } from '../../forms/use-confirmed-action.tsx'
import { useHasRole } from '../../session.ts'
import { downloadCsv } from '../../text/csv.ts'
import { formatNumber } from '../../text/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { BulkAction } from '../../ui/lists/selection-bar.tsx'
import { visitorLabel } from '../conversation/conversation-status.tsx'
import { useBotNames, useTeam } from './use-team.ts'

const ROUTE = '/api/manage/v1/bots/{botId}/conversations/{conversationId}'
const NOBODY = 'none'

type Conversations = ConversationSummary[]

interface BulkRequest {
  about: 'assign' | 'tag'
  items: Conversations
  isOpen: boolean
  answer: (remainingItems: Conversations) => void
}

interface Change {
  item: ConversationSummary
  body: PatchConversation
}

const paramsOf = ({ bot_id, id }: ConversationSummary) => ({ botId: bot_id, conversationId: id })

/** `onDone` receives the deleted conversations; `count` is the number selected. */
export function useBulkActions(onDone: (deletedItems: Conversations) => void, count: number) {
  const texts = useTexts()
  const { team, lists, inbox } = texts
  const mayAct = useHasRole('agent')
  const mayRemove = useHasRole('editor')
  const botNames = useBotNames()
  const [request, setRequest] = useState<BulkRequest>({ about: 'assign', items: [], isOpen: false, answer: () => {} })
  const changing = useBulkMutation(`PATCH ${ROUTE}`, {
    toRequest: ({ item, body }: Change) => ({ params: paramsOf(item), body }),
    done: team.changed,
    // The conversation may be too far down the list to be reloaded otherwise.
    reload: async ({ item, body }) => ({
      item: await client.request(`GET ${ROUTE}`, { params: paramsOf(item) }),
      body,
    }),
  })
  const removing = useConfirmedAction(`DELETE ${ROUTE}`, {
    toRequest: (item: ConversationSummary) => ({ params: paramsOf(item) }),
    done: team.removed,
    title: (items) => team.removeTitle(items.length),
    about: () => team.removeAbout,
    action: team.remove,
  })
  const change = async (items: Conversations, bodyOf: (item: ConversationSummary) => PatchConversation) => {
    const remainingChanges = await changing.run(items.map((item) => ({ item, body: bodyOf(item) })))
    onDone([])
    return remainingChanges.map(({ item }) => item)
  }
  const remove = async (items: Conversations) => {
    const remainingItems = await removing.ask(items)
    if (remainingItems.length < items.length) onDone(items.filter((each) => !remainingItems.includes(each)))
    return remainingItems
  }
  const ask = (about: BulkRequest['about']) => (items: Conversations) =>
    new Promise<Conversations>((answer) => setRequest({ about, items, isOpen: true, answer }))
  const move = (status: 'open' | 'resolved') => (items: Conversations) =>
    change(items, (item) => ({ status, expected_status: item.status }))
  const exportSelected = async (items: Conversations) => {
    downloadCsv(
      inbox.list,
      [
        { label: 'ID', value: ({ id }) => id },
        { label: inbox.name, value: (item) => visitorLabel(item, texts) },
        { label: inbox.email, value: ({ visitor }) => visitor?.email ?? '' },
        { label: team.bot, value: ({ bot_id }) => botNames.get(bot_id) ?? bot_id },
        { label: lists.status, value: ({ status }) => (status === 'bot' ? 'Bot' : team.shows[status]) },
        { label: team.assignee, value: ({ assignee }) => assignee?.name ?? '' },
        { label: team.tags, value: ({ tags }) => tags.join('; ') },
        { label: texts.leads.message, value: ({ last_visitor_message: last }) => last?.text ?? '' },
        { label: lists.time, value: ({ updated_at }) => updated_at },
      ],
      items,
    )
    return items
  }
  const bulk: BulkAction<ConversationSummary>[] = [
    ...(mayAct
      ? [
          { label: team.resolve, run: move('resolved'), progress: changing },
          { label: team.assign, run: ask('assign'), progress: changing },
          { label: team.addTag, run: ask('tag'), progress: changing, isInMenu: true },
          { label: team.reopen, run: move('open'), progress: changing, isInMenu: true },
        ]
      : []),
    { label: lists.csvOf(formatNumber(count)), run: exportSelected, isInMenu: true },
    ...(mayRemove ? [{ label: team.remove, run: remove, destroys: true, isInMenu: true }] : []),
  ]
  const cancel = () => {
    request.answer(request.items)
    setRequest({ ...request, isOpen: false })
  }
  const dialog = (
    <>
      <Modal opened={request.isOpen} onClose={cancel} title={request.about === 'tag' ? team.addTag : team.assign}>
        <BulkForm
          about={request.about}
          onCancel={cancel}
          onChosen={(bodyOf) => {
            setRequest({ ...request, isOpen: false })
            void change(request.items, bodyOf).then(request.answer)
          }}
        />
      </Modal>
      {removing.dialog}
    </>
  )
  return { bulk, dialog }
}

interface BulkFormProps {
  about: BulkRequest['about']
  onCancel: () => void
  onChosen: (bodyOf: (item: ConversationSummary) => PatchConversation) => void
}

/** Asks for the agent or the tags. */
function BulkForm({ about, onCancel, onChosen }: BulkFormProps) {
  const { team, general } = useTexts()
  const { me, agents, tags } = useTeam()
  const [assignee, setAssignee] = useState<string | null>(me)
  const [newTags, setNewTags] = useState<string[]>([])
  const isTag = about === 'tag'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isTag) return onChosen(() => ({ add_tags: newTags }))
    const assignee_id = assignee === NOBODY ? null : assignee
    onChosen(({ assignee: current, status }) => ({
      assignee_id,
      expected_assignee_id: current?.id ?? null,
      expected_status: status,
    }))
  }
  return (
    <form className="form" onSubmit={submit}>
      {isTag ? (
        <TagsInput
          data-autofocus
          label={team.tags}
          maxTags={TAGS_PER_CONVERSATION}
          maxLength={TAG_LENGTH}
          data={tags.map(({ name }) => name)}
          value={newTags}
          onChange={setNewTags}
          acceptValueOnBlur
        />
      ) : (
        <Select
          data-autofocus
          label={team.assignee}
          data={[
            ...agents.map(({ id, name }) => ({ value: id, label: id === me ? team.me(name) : name })),
            { value: NOBODY, label: team.nobody },
          ]}
          value={assignee}
          allowDeselect={false}
          onChange={setAssignee}
        />
      )}
      <div className="form-end">
        <Button type="submit" disabled={isTag ? newTags.length === 0 : !assignee}>
          {isTag ? team.addTag : team.assign}
        </Button>
        <Button variant="default" onClick={onCancel}>
          {general.cancel}
        </Button>
      </div>
    </form>
  )
}
