import type { Bot } from '@docent/contract'
import { formatNumber } from '../../text/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Progress } from '../../ui/progress.tsx'

/** Progress of the semantic index; nothing once it is complete. */
export function IndexingProgress({ bot: { knowledge } }: { bot: Bot }) {
  const { newBot: words } = useTexts()
  const { passages, embedded_passages: done, status } = knowledge
  if (status === 'ready' || passages === 0) return null
  return <Progress done={done} total={passages} label={words.learning(formatNumber(done), formatNumber(passages))} />
}
