import type { Decision } from '@docent/contract'
import { useTexts } from '../texts/texts.tsx'
import { Status, type Tone } from '../ui/status.tsx'
import { formatPercent } from './format.ts'

const tones: Record<Decision, Tone> = {
  answer: 'good',
  curated: 'good',
  product: 'good',
  action: 'good',
  small_talk: 'quiet',
  suggest: 'warn',
  person: 'warn',
  fall_back: 'bad',
}

/** How a reply came about, with the confidence if the content was searched. */
export function DecisionStatus({ reply }: { reply: Reply }) {
  const { playground: texts } = useTexts()
  const decision = displayedDecision(reply)
  const { confidence } = reply
  return (
    <>
      <Status tone={tones[decision]}>{texts.decision[decision]}</Status>
      {confidence !== null && isSearched(decision) && (
        <span className="quiet number">{texts.confidence(formatPercent(confidence))}</span>
      )}
    </>
  )
}

interface Reply {
  decision: Decision | null
  answered: boolean | null
  confidence: number | null
}

/** Small talk, actions and requests for an agent do not search the content. */
export function isSearched(decision: Decision): boolean {
  return decision !== 'small_talk' && decision !== 'person' && decision !== 'action'
}

function displayedDecision({ decision, answered }: Reply): Decision {
  if (decision === null) return answered ? 'answer' : 'fall_back'
  // The catalogue had no answer.
  return decision === 'product' && !answered ? 'fall_back' : decision
}
