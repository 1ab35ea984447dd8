import type { Bot } from '@docent/contract'
import { useMessages } from '../../messages/messages.tsx'
import { formatNumber } from '../../text/format.ts'
import { Progress } from '../../ui/progress.tsx'

/** How much of a bot's content can be found by meaning; nothing once that is all of it. */
export function Learning({ bot: { knowledge } }: { bot: Bot }) {
  const { newBot: words } = useMessages()
  const { passages, embedded_passages: done, status } = knowledge
  if (status === 'ready' || passages === 0) return null
  return <Progress done={done} total={passages} label={words.learning(formatNumber(done), formatNumber(passages))} />
}
