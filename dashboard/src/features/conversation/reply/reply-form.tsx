import type { Conversation } from '@docent/contract'
import { REPLY_LENGTH } from '@docent/contract/limits'
import { ActionIcon, Button, Popover, Textarea } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, type RefObject, useRef, useState } from 'react'
import { useApiMutation } from '../../../api.ts'
import { client } from '../../../client.ts'
import { useSession } from '../../../session.ts'
import { explainError } from '../../../text/explain-error.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useBotNames, useHasModel } from '../../inbox/use-team.ts'
import { AttachButton } from '../attachments.tsx'
import { visitorLabel } from '../conversation-status.tsx'
import { useDraft } from '../use-draft.ts'
import { CANNED_ID, CannedMenu, cannedOptionId, useCannedMenu } from './canned-menu.tsx'
import { DraftMenu } from './draft-menu.tsx'
import { Suggestions } from './suggestions.tsx'

// Shorter than the time for which visitors see the typing indicator.
const TYPING_MS = 3000

interface Props {
  botId: string
  conversation: Conversation
  field: RefObject<HTMLTextAreaElement | null>
  onTyping: () => void
  onSummary: () => void
  onSent: () => void
}

export function ReplyForm({ botId, conversation, field, onTyping, onSummary, onSent }: Props) {
  const allTexts = useTexts()
  const { inbox: texts, team } = allTexts
  const [text, setText] = useDraft(conversation.id, 'reply')
  const typingSentAt = useRef(0)
  const params = { botId, conversationId: conversation.id }
  const { status } = conversation.handover
  const isActive = status === 'active'
  const reply = useApiMutation('POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/messages', {
    silent: true,
    onDone: () => {
      setText('')
      onSent()
    },
  })
  const names = {
    visitor: conversation.visitor?.name ?? null,
    agent: useSession().account.name,
    bot: useBotNames().get(botId) ?? '',
  }
  const insert = (next: string) => {
    setText(next.slice(0, REPLY_LENGTH))
    field.current?.focus()
  }
  const canned = useCannedMenu(text, names, insert)
  const hasModel = useHasModel(botId)
  const form = useRef<HTMLFormElement>(null)
  const send = () => {
    const message = text.trim()
    if (message && !reply.isPending) reply.mutate({ params, body: { text: message } })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send()
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (canned.onKeyDown(event)) return
    if (event.key === 'Escape') event.currentTarget.blur()
    if (event.key === 'ArrowUp' && text === '')
      form.current?.querySelector<HTMLElement>('.suggestion > button')?.focus()
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  const change = (next: string) => {
    setText(next)
    // Visitors who talk to the bot do not see agents typing.
    const isAwaited = isActive || status === 'requested'
    if (!isAwaited || next === '' || Date.now() - typingSentAt.current < TYPING_MS) return
    typingSentAt.current = Date.now()
    onTyping()
    client.request('POST /api/manage/v1/bots/{botId}/conversations/{conversationId}/typing', { params }).catch(() => {
      // The typing indicator is not important enough to retry.
    })
  }
  return (
    <form ref={form} className="reply" onSubmit={submit}>
      {reply.error && (
        <Notice tone="bad" title={texts.notSent}>
          {explainError(reply.error, allTexts)}
        </Notice>
      )}
      {canned.isOpen ? (
        <CannedMenu menu={canned} />
      ) : (
        <Suggestions
          botId={botId}
          conversation={conversation}
          names={names}
          onInsert={(suggestion) => insert(text.trim() ? `${text.trimEnd()}\n\n${suggestion}` : suggestion)}
        />
      )}
      <div className="chat-form with-tools" data-tools={hasModel ? 4 : 3}>
        <Textarea
          ref={field}
          aria-label={texts.replyTo(visitorLabel(conversation, allTexts))}
          aria-describedby="reply-hint"
          {...(canned.matches.length > 0
            ? {
                'aria-controls': CANNED_ID,
                'aria-activedescendant': cannedOptionId(canned.activeIndex),
                'aria-autocomplete': 'list' as const,
              }
            : {})}
          placeholder={texts.reply}
          autosize
          minRows={1}
          maxRows={8}
          maxLength={REPLY_LENGTH}
          value={text}
          readOnly={reply.isPending}
          onChange={(event) => change(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {hasModel && (
          <DraftMenu place={params} conversation={conversation} text={text} onText={insert} onSummary={onSummary} />
        )}
        <AttachButton place={params} onSent={onSent} />
        <EmojiPicker onPick={(emoji) => insert(`${text}${emoji}`)} />
        <Button type="submit" loading={reply.isPending} leftSection={<Icon name="send" size={18} />}>
          {texts.send}
        </Button>
      </div>
      <p id="reply-hint" className="small quiet">
        {isActive ? texts.replyHint : texts.replyTakesOver} {team.cannedHint}
      </p>
    </form>
  )
}

const emojis =
  '🙂 😀 😄 😉 😊 😍 🤗 🤔 😅 😂 😕 😟 😢 😮 🙏 👍 👎 👋 👏 💪 ✅ ❌ ❗ ❓ ❤️ 🎉 🎁 ⭐ 🔥 💡 📦 🚚 🛒 💳 📞 📧 📅 ⏰ 🔧 🔒'.split(
    ' ',
  )

function EmojiPicker({ onPick }: { onPick: (emoji: string) => void }) {
  const { team: texts } = useTexts()
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover opened={isOpen} onChange={setOpen} position="top-end" trapFocus>
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={texts.emoji}
          title={texts.emoji}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="smile" />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.emoji}>
        <div className="emojis">
          {emojis.map((emoji) => (
            <button
              key={emoji}
              type="button"
              onClick={() => {
                setOpen(false)
                onPick(emoji)
              }}
            >
              {emoji}
            </button>
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
