// What visitors who ask for a person are told about the wait: how long it usually takes, or when somebody is back.
import { joinSentences, nobodyAvailable, sentencesFor } from '../answers/fall-back.ts'
import { regionOf } from '../answers/understand/contact-details.ts'
import { makeTtlCache } from '../caching.ts'
import { DAY_MS } from '../days.ts'
import { languageData, languageOrEnglish } from '../language/languages.ts'
import { isTimezone, localDay } from '../local-time.ts'
import type { BotRecord } from '../storage/bots.ts'
import type { ConversationsTable } from '../storage/conversations.ts'
import type { FindReturn } from './availability.ts'

/** How the visitor reads a time. */
interface Recipient {
  language: string
  locale?: string | undefined
  timezone?: string | undefined
}

interface Deps {
  conversations: Pick<ConversationsTable, 'listWaits'>
  findReturn: FindReturn
  clock: () => number
}

const RECENT_MS = 30 * DAY_MS
const MOST_WAITS = 50
const FEWEST_WAITS = 5
const CACHE = { ttlMs: 60_000, maxEntries: 1000 }

export type WaitingTimes = ReturnType<typeof openWaitingTimes>

export function openWaitingTimes({ conversations, findReturn, clock }: Deps) {
  const usualWaits = makeTtlCache<number>({ ...CACHE, clock })

  /** The median of the last ones; infinite where there are too few to tell, or most got no reply. */
  async function usualWait(botId: string): Promise<number> {
    const waits = await conversations.listWaits(botId, clock() - RECENT_MS, MOST_WAITS)
    const sorted = waits.map((wait) => wait ?? Number.POSITIVE_INFINITY).sort((one, other) => one - other)
    const median = sorted[Math.floor(sorted.length / 2)]
    return median === undefined || sorted.length < FEWEST_WAITS ? Number.POSITIVE_INFINITY : median
  }

  return {
    /** A person was asked to take over. */
    async handedOver(bot: BotRecord, { language }: Recipient): Promise<string> {
      const wait = await usualWaits.read(bot.id, () => usualWait(bot.id))
      const usually =
        wait !== undefined && Number.isFinite(wait)
          ? sentencesOn(language).usually.replace('{time}', () => formatLength(wait, language))
          : ''
      return joinSentences([sentencesFor(bot, language).handedOver, usually], language)
    },

    /** Nobody is available: when somebody will be, and for bots with a form a request for contact details. */
    async nobodyThere(bot: BotRecord, recipient: Recipient): Promise<string> {
      const say = sentencesFor(bot, recipient.language)
      const nobody = nobodyAvailable(say)
      const next = await findReturn(bot)
      const back = next ? backSentence(next, recipient, clock()) : ''
      const leaveContact = bot.widget.leadForm ? say.leaveContact.slice(nobody.length).trim() : ''
      return joinSentences([nobody, back, leaveContact], recipient.language)
    },
  }
}

function sentencesOn(language: string) {
  return languageData[languageOrEnglish(language)].waiting
}

const MINUTE_MS = 60_000

/** Rounded up: "5 minutes", "2 hours", "3 days". */
function formatLength(lengthMs: number, language: string): string {
  const minutes = Math.max(1, Math.ceil(lengthMs / MINUTE_MS))
  const format = (unit: string, count: number) =>
    new Intl.NumberFormat(tagOf({ language }), { style: 'unit', unit, unitDisplay: 'long' }).format(count)
  if (minutes > 36 * 60) return format('day', Math.ceil(minutes / (24 * 60)))
  if (minutes > 90) return format('hour', Math.ceil(minutes / 60))
  return format('minute', minutes > 10 ? Math.ceil(minutes / 5) * 5 : minutes)
}

/** In the visitor's time zone; where it is not known, in the team's, which is then named. */
function backSentence({ at, timezone }: { at: number; timezone: string }, recipient: Recipient, now: number): string {
  const ownZone = recipient.timezone !== undefined && isTimezone(recipient.timezone) ? recipient.timezone : null
  const timeZone = ownZone ?? timezone
  const days = localDay(at, timeZone) - localDay(now, timeZone)
  const tag = tagOf(recipient)
  const date = { weekday: 'long', ...(days > 6 ? ({ day: 'numeric', month: 'long' } as const) : {}), timeZone } as const
  const zone = ownZone ? {} : ({ timeZoneName: 'short' } as const)
  const time = new Intl.DateTimeFormat(tag, { hour: 'numeric', minute: '2-digit', timeZone, ...zone }).format(at)
  const { backSoon, backOn } = sentencesOn(recipient.language)
  const [sentence, day] =
    days < 2
      ? [backSoon, new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }).format(days, 'day')]
      : [backOn, new Intl.DateTimeFormat(tag, date).format(at)]
  const [atOne = '', atOther = atOne] = sentence.split('|')
  const text = (/^1\D/.test(time) ? atOne : atOther).replace('{day}', () => day).replace('{time}', () => time)
  // "p.m." ends with a full stop of its own.
  return text.replace(/\.{2}$/, '.')
}

/** As the visitor's country writes the language, with the digits of our other texts. */
function tagOf({ language, locale }: Recipient): string {
  const spoken = languageOrEnglish(language)
  const region = languageOrEnglish(locale) === spoken ? regionOf(locale) : undefined
  return `${spoken}${region ? `-${region}` : ''}-u-nu-latn`
}
