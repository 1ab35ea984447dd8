// What a team looks at first, over all bots of a workspace.
import type { AttentionKind, FeedRun, Home } from '@docent/contract'
import { makeTtlCache } from '../caching.ts'
import type { Context } from '../context.ts'
import { DAY_MS, dayText } from '../days.ts'
import { localDay, startOfLocalDay } from '../local-time.ts'
import { type BotsTable, DEMO_BOT_ID, DOCS_BOT_ID } from '../storage/bots.ts'
import { timestamp, timestampOrNull } from '../timestamps.ts'
import { figures } from './analytics.ts'
import { type EmbedQuestions, groupQuestions, type ListUnanswered } from './questions.ts'
import { resolutionOf } from './resolution.ts'

const DAYS = 7
const SHOWN = 5
const MAX_WAITING = 200
// Of many bots, the busiest.
const MAX_BOTS = 20
const QUESTIONS = 100
const MAX_ALTERNATIVES = 20
// Grouping all open questions reads every question without an answer, and Home asks for them every 20 seconds.
const UNANSWERED_KEPT_MS = 60_000
const KEPT_WORKSPACES = 500
// Vectors that take longer help to group the questions the next time.
const VECTOR_BUDGET_MS = 150
const demoPages: Record<string, string> = { [DEMO_BOT_ID]: '/demo', [DOCS_BOT_ID]: '/docs' }

export type ReadHome = (workspaceId: string, timezone: string) => Promise<Home>

interface Neighbours {
  listUnanswered: ListUnanswered
  embedQuestions: EmbedQuestions
}

type BotName = Awaited<ReturnType<BotsTable['listNames']>>[number]

interface OpenTopic {
  shown: Home['unanswered'][number]
  /** Where its questions were asked. */
  conversationIds: string[]
}

export function makeReadHome({ storage, clock }: Context, { listUnanswered, embedQuestions }: Neighbours): ReadHome {
  const { bots, conversations, inbox, activity, resolutions, questions, attention } = storage

  const topicsCache = makeTtlCache<OpenTopic[]>({ ttlMs: UNANSWERED_KEPT_MS, maxEntries: KEPT_WORKSPACES, clock })

  async function readWaiting(botIds: string[], now: number): Promise<Home['waiting']> {
    const all = await inbox.listWaiting(botIds, {}, { readerId: null, now }, null, MAX_WAITING)
    return {
      count: all.length,
      overdue: all.filter(({ waiting }) => waiting.dueAt !== null && waiting.dueAt <= now).length,
      conversations: all.slice(0, SHOWN).map(({ waiting, ...each }) => ({
        bot_id: each.botId,
        id: each.id,
        visitor: each.visitor?.name ?? each.visitor?.email ?? each.visitor?.userId ?? null,
        visitor_id: each.visitor?.id ?? null,
        message: each.lastVisitorMessage?.text ?? null,
        since: timestamp(waiting.since),
        due_at: timestampOrNull(waiting.dueAt),
      })),
    }
  }

  async function readWeek(botIds: string[], timezone: string, now: number) {
    const last = localDay(now, timezone)
    const starts = Array.from({ length: DAYS + 1 }, (_, index) => startOfLocalDay(last - DAYS + 1 + index, timezone))
    const days = starts.slice(0, DAYS).map((since, index) => ({ since, until: starts[index + 1] ?? since }))
    const before = { since: startOfLocalDay(last - 2 * DAYS + 1, timezone), until: starts[0] ?? now }
    const times = [...days, before]
    const [activityRecords, resolutionRecords] = await Promise.all([
      activity.list(botIds, times),
      resolutions.list(botIds, times, now),
    ])
    const isNow = ({ place }: { place: number }) => place < DAYS
    const isBefore = ({ place }: { place: number }) => place === DAYS
    const outcomes = (records: typeof resolutionRecords) => {
      const { conversations, confirmed, assumed, pending } = resolutionOf(records)
      return { conversations, resolved: confirmed + assumed + pending }
    }
    const busiest = [...Map.groupBy(resolutionRecords.filter(isNow), ({ botId }) => botId)]
      .map(([botId, records]) => ({ bot_id: botId, ...outcomes(records) }))
      .toSorted((a, b) => b.conversations - a.conversations)
      .slice(0, MAX_BOTS)
    const week: Home['week'] = {
      totals: figures(activityRecords.filter(isNow), resolutionRecords.filter(isNow)),
      before: figures(activityRecords.filter(isBefore), resolutionRecords.filter(isBefore)),
      days: days.map((_, index) => {
        const date = dayText(last - DAYS + 1 + index)
        return { date, ...outcomes(resolutionRecords.filter(({ place }) => place === index)) }
      }),
      bots: busiest.slice(0, SHOWN),
    }
    const top = await Promise.all(
      busiest.map(async ({ bot_id: botId }) => {
        const topQuestions = await questions.listTop(botId, starts[0] ?? now, starts[DAYS] ?? now, SHOWN)
        return topQuestions.map(({ text, count, answered }) => ({ bot_id: botId, question: text, count, answered }))
      }),
    )
    return {
      week,
      questions: top
        .flat()
        .toSorted((a, b) => b.count - a.count)
        .slice(0, SHOWN),
    }
  }

  async function readAttention(botIds: string[], now: number): Promise<Home['attention']> {
    const [crawls, feeds, tests, endpoints] = await Promise.all([
      attention.listCrawls(botIds, now - DAYS * DAY_MS),
      attention.listFeeds(botIds),
      attention.listTests(botIds),
      attention.listEndpoints(botIds),
    ])
    const items = [
      ...crawls.flatMap(({ botId, id, url, failed, failedPages, changedPages, finishedAt }) => {
        const crawl = { botId, id, name: hostOf(url), at: finishedAt }
        return [
          ...(failed ? [{ ...crawl, kind: 'crawl_failed' as const, count: null }] : []),
          ...(failedPages > 0 ? [{ ...crawl, kind: 'pages_failed' as const, count: failedPages }] : []),
          ...(changedPages > 0 ? [{ ...crawl, kind: 'pages_changed' as const, count: changedPages }] : []),
        ]
      }),
      ...feeds
        .filter(({ report }) => (JSON.parse(report) as FeedRun).outcome === 'failed')
        .map(({ botId, id, shownUrl, finishedAt }) => ({
          botId,
          id,
          name: hostOf(shownUrl),
          at: finishedAt,
          kind: 'feed_failed' as const,
          count: null,
        })),
      ...tests.map(({ botId, worse, total, ranAt }) => ({
        botId,
        id: botId,
        name: String(total),
        at: ranAt,
        kind: 'tests_worse' as const,
        count: worse,
      })),
      ...endpoints.map(({ botId, id, kind, url, settings, disabledReason, since }) => ({
        botId,
        id,
        at: since,
        count: null,
        kind: endpointProblem(kind, disabledReason),
        name: kind === 'webhook' ? hostOf(url) : ((JSON.parse(settings ?? '{}') as { name?: string }).name ?? kind),
      })),
    ]
    // News that is no problem comes last.
    const order = ({ kind }: { kind: AttentionKind }) => Number(kind === 'pages_changed')
    return items
      .toSorted((a, b) => order(a) - order(b) || (b.at ?? 0) - (a.at ?? 0))
      .map(({ botId, id, kind, name, count, at }) => ({
        bot_id: botId,
        kind,
        id,
        name,
        count,
        since: timestampOrNull(at),
      }))
  }

  /** Without the closest passages: those need each bot's index. */
  async function readUnanswered(all: BotName[]): Promise<OpenTopic[]> {
    const open = []
    for (const { id, language } of all) {
      const some = await listUnanswered(id, null, QUESTIONS)
      open.push(...some.map((each) => ({ ...each, botId: id, language: each.languages[0] ?? language })))
    }
    const most = open.toSorted((a, b) => b.count - a.count || b.lastAskedAt - a.lastAskedAt).slice(0, QUESTIONS)
    const vectors = await embedQuestions(most, VECTOR_BUDGET_MS)
    const questionsWithVectors = most.map((question, index) => ({ ...question, vector: vectors[index] }))
    const topics: OpenTopic[] = []
    for (const [botId, ofBot] of Map.groupBy(questionsWithVectors, (question) => question.botId))
      for (const group of await groupQuestions(ofBot)) {
        const examples = group.slice(0, 1 + MAX_ALTERNATIVES)
        const [typical, ...alternatives] = examples.map(({ text }) => text)
        topics.push({
          shown: {
            bot_id: botId,
            question: typical ?? '',
            alternatives,
            count: group.reduce((total, { count }) => total + count, 0),
            last_asked_at: timestamp(Math.max(...group.map(({ lastAskedAt }) => lastAskedAt))),
          },
          conversationIds: examples.map(({ conversationId }) => conversationId),
        })
      }
    return topics.toSorted((a, b) => b.shown.count - a.shown.count).slice(0, SHOWN)
  }

  async function areStored(topics: OpenTopic[]): Promise<boolean> {
    const each = topics.map(({ shown, conversationIds }) => conversations.areStored(shown.bot_id, conversationIds))
    return (await Promise.all(each)).every((isStored) => isStored)
  }

  /** What visitors ask shows within a minute, what the team does at once. */
  async function readKeptUnanswered(workspaceId: string, all: BotName[]): Promise<Home['unanswered']> {
    const key = JSON.stringify([workspaceId, ...all.map(({ id, openVersion }) => [id, openVersion])])
    const topics = (await topicsCache.read(key, () => readUnanswered(all))) ?? []
    if (await areStored(topics)) return topics.map(({ shown }) => shown)
    // Nothing of a conversation may be shown once it is erased, by whichever node.
    topicsCache.delete(key)
    return ((await topicsCache.read(key, () => readUnanswered(all))) ?? []).map(({ shown }) => shown)
  }

  return async (workspaceId, timezone) => {
    const now = clock()
    const all = await bots.listNames(workspaceId)
    const botIds = all.map(({ id }) => id)
    const [waiting, weekFigures, unanswered, news] = await Promise.all([
      readWaiting(botIds, now),
      readWeek(botIds, timezone, now),
      readKeptUnanswered(workspaceId, all),
      readAttention(botIds, now),
    ])
    const names = all.map(({ id, name }) => ({ id, name, demo_page: demoPages[id] ?? null }))
    return { bots: names, waiting, ...weekFigures, unanswered, attention: news }
  }
}

function endpointProblem(kind: string, disabledReason: string | null): AttentionKind {
  if (kind === 'webhook') return disabledReason === null ? 'webhook_failing' : 'webhook_disabled'
  return disabledReason === null ? 'channel_failing' : 'channel_disabled'
}

/** Paths and queries of URLs may hold secrets. */
function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url
}
