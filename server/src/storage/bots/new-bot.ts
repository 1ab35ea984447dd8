import { DEFAULT_RETENTION_DAYS } from '@docent/contract'
import { type BotRecord, defaultWidgetRecord } from './bots.ts'

type NewBotInput = Pick<BotRecord, 'workspaceId' | 'id' | 'name' | 'createdAt'> & Partial<BotRecord>

/** What is not given is as nobody has changed it yet. */
export function newBot(given: NewBotInput): BotRecord {
  return {
    language: 'en',
    siteUrl: null,
    fallbackMessage: null,
    tone: 'formal',
    answerThreshold: null,
    suggestThreshold: null,
    languageModel: null,
    widget: defaultWidgetRecord,
    sourcePages: true,
    retentionDays: DEFAULT_RETENTION_DAYS,
    knowledgeVersion: 0,
    curatedVersion: 0,
    reportsEvents: false,
    productVersion: 0,
    productReadyVersion: 0,
    ...given,
  }
}
