// What is done with several conversations at once. Each change names what was on the screen, so that nothing is undone
// that a colleague has done meanwhile.
import type { ConversationSummary, PatchConversation } from '@docent/contract'
import { Button, Modal, Select, TagsInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useActOnAll } from '../../api.ts'
import { useConfirmed } from '../../forms/use-confirmed.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { useMay } from '../../session.ts'
import { downloadCsv } from '../../text/csv.ts'
import type { BulkAction } from '../../ui/lists/chosen-bar.tsx'
import { whoOf } from '../conversation/conversation-status.tsx'
import { useTeam } from './use-team.ts'

const ONE = '/api/manage/v1/bots/{botId}/conversations/{conversationId}'
const NOBODY = 'none'

type Conversations = ConversationSummary[]

interface Asked {
  about: 'assign' | 'tag'
  items: Conversations
  answer: (left: Conversations) => void
}

const paramsOf = ({ bot_id, id }: ConversationSummary) => ({ botId: bot_id, conversationId: id })

/** `onDone` hears which are deleted. */
export function useBulkActions(onDone: (deleted: Conversations) => void) {
  const messages = useMessages()
  const { team, lists, inbox } = messages
  const mayAct = useMay('agent')
  const mayRemove = useMay('editor')
  const [asked, setAsked] = useState<Asked | null>(null)
  const changing = useActOnAll(`PATCH ${ONE}`, {
    of: ({ item, body }: { item: ConversationSummary; body: PatchConversation }) => ({ params: paramsOf(item), body }),
    done: team.changed,
  })
  const removing = useConfirmed(`DELETE ${ONE}`, {
    of: (item: ConversationSummary) => ({ params: paramsOf(item) }),
    done: team.removed,
    title: (items) => team.removeTitle(items.length),
    about: () => team.removeAbout,
    action: team.remove,
  })
  const change = async (items: Conversations, bodyOf: (item: ConversationSummary) => PatchConversation) => {
    const left = await changing.run(items.map((item) => ({ item, body: bodyOf(item) })))
    onDone([])
    return left.map(({ item }) => item)
  }
  const remove = async (items: Conversations) => {
    const left = await removing.ask(items)
    onDone(items.filter((each) => !left.includes(each)))
    return left
  }
  const ask = (about: Asked['about']) => (items: Conversations) =>
    new Promise<Conversations>((answer) => setAsked({ about, items, answer }))
  const move = (status: 'open' | 'resolved') => (items: Conversations) =>
    change(items, (item) => ({ status, expected_status: item.status }))
  const exportThem = async (items: Conversations) => {
    downloadCsv(
      inbox.list,
      [
        { label: 'ID', value: ({ id }) => id },
        { label: inbox.name, value: (item) => whoOf(item, messages) },
        { label: lists.status, value: ({ status }) => (status === 'bot' ? 'Bot' : team.shows[status]) },
        { label: team.assignee, value: ({ assignee }) => assignee?.name ?? '' },
        { label: team.tags, value: ({ tags }) => tags.join('; ') },
        { label: messages.leads.message, value: ({ last_visitor_message: last }) => last?.text ?? '' },
        { label: lists.time, value: ({ updated_at }) => updated_at },
      ],
      items,
    )
    return items
  }
  const bulk: BulkAction<ConversationSummary>[] = [
    ...(mayAct
      ? [
          { label: team.resolve, run: move('resolved') },
          { label: team.reopen, run: move('open') },
          { label: team.assign, run: ask('assign') },
          { label: team.addTag, run: ask('tag') },
        ]
      : []),
    { label: lists.csv, run: exportThem },
    ...(mayRemove ? [{ label: team.remove, run: remove, destroys: true }] : []),
  ]
  const dialog = (
    <>
      {asked && (
        <AskDialog
          about={asked.about}
          onCancel={() => {
            asked.answer(asked.items)
            setAsked(null)
          }}
          onChosen={(bodyOf) => {
            setAsked(null)
            void change(asked.items, bodyOf).then(asked.answer)
          }}
        />
      )}
      {removing.dialog}
    </>
  )
  return { bulk, dialog }
}

interface AskProps {
  about: Asked['about']
  onCancel: () => void
  onChosen: (bodyOf: (item: ConversationSummary) => PatchConversation) => void
}

/** To whom, or with which tags. */
function AskDialog({ about, onCancel, onChosen }: AskProps) {
  const { team } = useMessages()
  const { me, agents, tags } = useTeam()
  const [assignee, setAssignee] = useState<string | null>(me)
  const [added, setAdded] = useState<string[]>([])
  const isTag = about === 'tag'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isTag) return onChosen(() => ({ add_tags: added }))
    const assignee_id = assignee === NOBODY ? null : assignee
    onChosen((item) => ({ assignee_id, expected_assignee_id: item.assignee?.id ?? null }))
  }
  const title = isTag ? team.addTag : team.assign
  return (
    <Modal opened onClose={onCancel} title={title}>
      <form className="form" onSubmit={submit}>
        {isTag ? (
          <TagsInput
            data-autofocus
            label={team.tags}
            maxTags={20}
            maxLength={50}
            data={tags.map(({ name }) => name)}
            value={added}
            onChange={setAdded}
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
          <Button type="submit" disabled={isTag ? added.length === 0 : !assignee}>
            {title}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
