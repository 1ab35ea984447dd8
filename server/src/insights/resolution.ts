// How conversations ended, as rates.
import type { Resolution } from '@docent/contract'
import { type Counted, OUTCOMES, type ResolutionRecord } from '../storage/resolutions.ts'

export function resolutionOf(records: readonly ResolutionRecord[]): Resolution {
  const counts: Counted = {
    conversations: 0,
    involved: 0,
    confirmed: 0,
    assumed: 0,
    escalated: 0,
    negative: 0,
    unresolved: 0,
    pending: 0,
  }
  for (const { outcome, involved, conversations } of records) {
    counts.conversations += conversations
    if (!involved) continue
    counts.involved += conversations
    counts[outcome] += conversations
  }
  return withRates(counts)
}

/** Adds up counts, such as those of several questions. */
export function sumResolutions(counts: readonly Counted[]): Resolution {
  const sum = (field: keyof Counted) => counts.reduce((total, each) => total + each[field], 0)
  const byOutcome = Object.fromEntries(OUTCOMES.map((name) => [name, sum(name)])) as Record<
    (typeof OUTCOMES)[number],
    number
  >
  return withRates({ conversations: sum('conversations'), involved: sum('involved'), ...byOutcome })
}

function withRates(counts: Counted): Resolution {
  const { conversations, involved, confirmed, assumed, escalated, negative, unresolved, pending } = counts
  const involvement = conversations === 0 ? null : involved / conversations
  const resolution = involved === pending ? null : (confirmed + assumed) / (involved - pending)
  const withoutPerson = involved - escalated
  return {
    conversations,
    involved,
    confirmed,
    assumed,
    escalated,
    negative,
    unresolved,
    pending,
    involvement_rate: round(involvement),
    resolution_rate: round(resolution),
    automation_rate: round(involvement === null || resolution === null ? null : involvement * resolution),
    containment_rate: round(conversations === 0 ? null : withoutPerson / conversations),
  }
}

function round(rate: number | null): number | null {
  return rate === null ? null : Math.round(rate * 1000) / 1000
}
