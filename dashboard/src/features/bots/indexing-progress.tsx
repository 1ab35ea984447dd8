import type { Bot } from '@docent/contract'
import { formatNumber } from '../../text/format.ts'
import { Progress } from '../../ui/progress.tsx'
import { texts } from './new-bot-texts.ts'

/** Progress of the semantic index; nothing once it is complete. */
export function IndexingProgress({ bot: { knowledge } }: { bot: Bot }) {
  const { passages, embedded_passages: embeddedPassages, status } = knowledge
  if (status === 'ready' || passages === 0) return null
  return (
    <Progress
      done={embeddedPassages}
      total={passages}
      label={texts.learning(formatNumber(embeddedPassages), formatNumber(passages))}
    />
  )
}
