import type { CannedReply } from '@docent/contract'
import { REPLY_LENGTH } from '@docent/contract/limits'
import { Button, Modal, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation } from '../../api.ts'
import { fieldError } from '../../client.ts'
import { Form } from '../../forms/form.tsx'
import { useConfirmedAction } from '../../forms/use-confirmed-action.tsx'
import { useHasRole } from '../../session.ts'
import { useTexts } from '../../texts/texts.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { List, Row } from '../../ui/lists/list.tsx'
import { RowMenu } from '../../ui/lists/row-menu.tsx'
import { Page } from '../../ui/page.tsx'
import { useCannedReplies } from './use-canned-replies.ts'

const REPLIES = '/api/manage/v1/workspaces/{workspaceId}/canned-replies'

export function CannedRepliesPage() {
  const { team: texts, general } = useTexts()
  const replies = useCannedReplies()
  const { workspaceId } = replies
  const mayEdit = useHasRole('agent')
  const [editedReply, setEditedReply] = useState<Partial<CannedReply> | null>(null)
  const remove = useConfirmedAction(`DELETE ${REPLIES}/{replyId}`, {
    toRequest: ({ id }: CannedReply) => ({ params: { workspaceId, replyId: id } }),
    done: general.removed,
    title: () => texts.cannedRemoveTitle,
    about: () => texts.cannedRemoveAbout,
    action: general.remove,
  })
  const add = mayEdit && (
    <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setEditedReply({})}>
      {texts.cannedAdd}
    </Button>
  )
  return (
    <Page title={texts.cannedReplies} about={texts.cannedAbout} actions={replies.items.length > 0 && add}>
      <List
        label={texts.cannedReplies}
        list={replies}
        empty={<EmptyState icon="bolt" title={texts.cannedEmpty} about={texts.cannedEmptyAbout} action={add} />}
      >
        {(reply) => (
          <Row
            key={reply.id}
            title={`/${reply.shortcut}`}
            {...(mayEdit ? { onOpen: () => setEditedReply(reply) } : {})}
            meta={[<span key="text">{reply.text}</span>]}
            end={
              mayEdit && (
                <RowMenu
                  name={reply.shortcut}
                  actions={[
                    { icon: 'pencil', label: general.edit, onClick: () => setEditedReply(reply) },
                    { icon: 'trash', label: general.remove, onClick: () => void remove.ask([reply]), destroys: true },
                  ]}
                />
              )
            }
          />
        )}
      </List>
      <Modal
        opened={editedReply !== null}
        onClose={() => setEditedReply(null)}
        size="lg"
        title={editedReply?.id ? texts.cannedEdit : texts.cannedAdd}
      >
        <Fields workspaceId={workspaceId} start={editedReply ?? {}} onClose={() => setEditedReply(null)} />
      </Modal>
      {remove.dialog}
    </Page>
  )
}

interface FieldsProps {
  workspaceId: string
  start: Partial<CannedReply>
  onClose: () => void
}

function Fields({ workspaceId, start, onClose }: FieldsProps) {
  const { team: texts, general } = useTexts()
  const [shortcut, setShortcut] = useState(start.shortcut ?? '')
  const [text, setText] = useState(start.text ?? '')
  const then = { done: texts.cannedSaved, silent: true, onDone: onClose }
  const create = useApiMutation(`POST ${REPLIES}`, then)
  const change = useApiMutation(`PATCH ${REPLIES}/{replyId}`, then)
  const body = { shortcut: shortcut.trim().replace(/^\//, ''), text }
  const error = create.error ?? change.error
  const submit = () =>
    start.id
      ? change.mutate({ params: { workspaceId, replyId: start.id }, body })
      : create.mutate({ params: { workspaceId }, body })
  return (
    <Form
      onCancel={onClose}
      action={start.id ? general.save : texts.cannedAdd}
      pending={create.isPending || change.isPending}
      error={error}
      onSubmit={submit}
    >
      <TextInput
        label={texts.shortcut}
        description={texts.shortcutHint}
        leftSection="/"
        required
        data-autofocus
        maxLength={40}
        value={shortcut}
        error={fieldError(error, 'shortcut')}
        onChange={(event) => setShortcut(event.currentTarget.value)}
      />
      <Textarea
        label={texts.cannedText}
        description={texts.cannedTextHint}
        required
        autosize
        minRows={4}
        maxRows={14}
        maxLength={REPLY_LENGTH}
        value={text}
        error={fieldError(error, 'text')}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </Form>
  )
}
