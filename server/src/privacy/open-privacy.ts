// Opens privacy: what is kept of people, exported on request and erased when its time is over.
import type { Context } from '../context.ts'
import { type Part, repeatEverySecond } from '../lifecycle.ts'
import { makeSweepRetention } from './retention.ts'
import { makeExportVisitor } from './visitors.ts'

export type Privacy = ReturnType<typeof openPrivacy>

export function openPrivacy(context: Context) {
  const { storage, config, isStopping, clock, onError } = context
  const sweep = makeSweepRetention({ retention: storage.retention, isStopping, clock })
  const part: Part = config.role === 'web' ? {} : repeatEverySecond(sweep, onError)
  return { ...part, exportVisitor: makeExportVisitor(context) }
}
