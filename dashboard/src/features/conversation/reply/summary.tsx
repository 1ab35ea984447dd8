import type { Conversation } from '@docent/contract'
import { ActionIcon } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { PlainText } from '../../../text/plain-text.tsx'
import { currentLanguage } from '../../../texts/texts.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useHasModel, useTeam } from '../../inbox/use-team.ts'
import { replyHelp as texts } from '../conversation-texts.ts'
import { useModelDraft } from './use-model-draft.ts'

// A shorter conversation is read faster than its summary.
const MIN_MESSAGES = 5

/** The conversation in a few sentences, for whoever has just taken it over or asks for it. */
export function useSummary(conversation: Conversation) {
  const { bot_id: botId, id: conversationId, handover } = conversation
  const { me } = useTeam()
  const hasModel = useHasModel(botId)
  const { isPending, write } = useModelDraft({ botId, conversationId })
  const [text, setText] = useState<string | null>(null)
  const summarise = () => write({ task: 'summary', language: currentLanguage() }, setText)
  const isMine = handover.status === 'active' && handover.agent_id === me
  const wasMine = useRef(isMine)
  useEffect(() => {
    if (isMine && !wasMine.current && me !== '' && hasModel && conversation.message_count >= MIN_MESSAGES) summarise()
    wasMine.current = isMine
  }, [isMine])
  return { text, isPending, summarise, close: () => setText(null) }
}

export function Summary({ summary }: { summary: ReturnType<typeof useSummary> }) {
  const { text, isPending, close } = summary
  if (text === null && !isPending) return null
  return (
    <section className="summary" aria-label={texts.summary} aria-live="polite">
      <Icon name="model" size={16} />
      <div className="small">
        <strong>{texts.summary}</strong>
        {text === null ? <p className="quiet">{texts.writing}</p> : <PlainText text={text} />}
      </div>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={texts.closeSummary} onClick={close}>
        <Icon name="close" size={14} />
      </ActionIcon>
    </section>
  )
}
