// The figures shown, how each is computed from a period's totals, and which conversations it counts.
import type { Analytics, Happening } from '@docent/contract'
import { formatNumber, formatPercent } from '../../text/format.ts'

type Totals = Analytics['totals']

export type Figure =
  | 'automation_rate'
  | 'resolution_rate'
  | 'involvement_rate'
  | 'containment_rate'
  | 'conversations'
  | 'questions'
  | 'answered_share'
  | 'mean_confidence'
  | 'low_confidence'
  | 'unanswered'
  | 'ratings'
  | 'handovers_requested'
  | 'handovers_accepted'
  | 'leads'

interface FigureDefinition {
  /** Without it, the figure counts all conversations started in the period. */
  had?: Happening
  /** A value from 0 to 1, whose changes are in percentage points. */
  isShare?: boolean
  /** Whether an increase is good; left out if it is neither good nor bad. */
  isGood?: boolean
  value: (totals: Totals) => number | null
}

const rate = (name: 'automation_rate' | 'resolution_rate' | 'involvement_rate' | 'containment_rate') => ({
  isShare: true,
  isGood: true,
  value: ({ resolution }: Totals) => resolution[name],
})

export const shownFigures: Record<Figure, FigureDefinition> = {
  automation_rate: { had: 'resolved', ...rate('automation_rate') },
  resolution_rate: { had: 'resolved', ...rate('resolution_rate') },
  involvement_rate: { had: 'question', ...rate('involvement_rate') },
  containment_rate: rate('containment_rate'),
  conversations: { value: ({ conversations }) => conversations },
  questions: { had: 'question', value: ({ questions }) => questions },
  answered_share: { had: 'answered', isShare: true, isGood: true, value: ({ answered_share }) => answered_share },
  mean_confidence: { had: 'question', isShare: true, isGood: true, value: ({ mean_confidence }) => mean_confidence },
  low_confidence: { had: 'low_confidence', isGood: false, value: ({ low_confidence }) => low_confidence },
  unanswered: {
    had: 'unanswered',
    isGood: false,
    value: ({ questions, answered, low_confidence }) => questions - answered - low_confidence,
  },
  ratings: {
    had: 'rating_down',
    isShare: true,
    isGood: true,
    value: ({ ratings_up: up, ratings_down: down }) => (up + down === 0 ? null : up / (up + down)),
  },
  handovers_requested: { had: 'handover_requested', value: (totals) => totals.handovers_requested },
  handovers_accepted: { had: 'handover_accepted', value: (totals) => totals.handovers_accepted },
  leads: { had: 'lead', isGood: true, value: ({ leads }) => leads },
}

export function figureText(name: Figure, value: number | null | undefined): string {
  if (value === null || value === undefined) return '–'
  return shownFigures[name].isShare ? formatPercent(value) : formatNumber(value)
}
