// Texts of notifications, in the bot's language or else in English.
import type { NotificationType, TeamLanguage } from '@docent/contract'

export interface NotificationWords {
  heading: Record<NotificationType, (what: { who: string | null; minutes: number }) => string>
  /** Subject of a message about several events. */
  several: (counts: Record<NotificationType, number>) => string
  more: (count: number) => string
  reason: Record<'visitor_request' | 'low_confidence' | 'rule', string>
  label: Record<'name' | 'email' | 'phone' | 'message' | 'page' | 'reason', string>
  open: string
  settings: string
  test: string
  testAbout: string
}

const en: NotificationWords = {
  heading: {
    'lead.created': ({ who }) => (who ? `New lead: ${who}` : 'New lead'),
    'handover.requested': () => 'A visitor asks for a person',
    'handover.waiting': ({ minutes }) =>
      `A visitor has been waiting for ${minutes === 1 ? 'a minute' : `${minutes} minutes`}`,
  },
  several: (counts) =>
    [
      counted(counts['lead.created'], 'new lead', 'new leads'),
      counted(counts['handover.requested'], 'request for a person', 'requests for a person'),
      counted(counts['handover.waiting'], 'waiting visitor', 'waiting visitors'),
    ]
      .filter(Boolean)
      .join(', '),
  more: (count) => `And ${count} more.`,
  reason: {
    visitor_request: 'The visitor asked for a person.',
    low_confidence: 'The bot could not answer twice in a row.',
    rule: 'The message contains one of your keywords.',
  },
  label: { name: 'Name', email: 'Email', phone: 'Phone', message: 'Message', page: 'Page', reason: 'Reason' },
  open: 'Open the conversation',
  settings: 'Notification settings',
  test: 'Test notification',
  testAbout: 'This channel works. No action is needed.',
}

const de: NotificationWords = {
  heading: {
    'lead.created': ({ who }) => (who ? `Neuer Lead: ${who}` : 'Neuer Lead'),
    'handover.requested': () => 'Ein Besucher möchte mit einer Person sprechen',
    'handover.waiting': ({ minutes }) =>
      `Ein Besucher wartet seit ${minutes === 1 ? 'einer Minute' : `${minutes} Minuten`}`,
  },
  several: (counts) =>
    [
      counted(counts['lead.created'], 'neuer Lead', 'neue Leads'),
      counted(counts['handover.requested'], 'Übergabewunsch', 'Übergabewünsche'),
      counted(counts['handover.waiting'], 'wartender Besucher', 'wartende Besucher'),
    ]
      .filter(Boolean)
      .join(', '),
  more: (count) => `Und ${count} weitere.`,
  reason: {
    visitor_request: 'Der Besucher hat nach einer Person gefragt.',
    low_confidence: 'Der Bot konnte zweimal hintereinander nicht antworten.',
    rule: 'Die Nachricht enthält eines Ihrer Stichwörter.',
  },
  label: { name: 'Name', email: 'E-Mail', phone: 'Telefon', message: 'Nachricht', page: 'Seite', reason: 'Grund' },
  open: 'Gespräch öffnen',
  settings: 'Benachrichtigungen einstellen',
  test: 'Testbenachrichtigung',
  testAbout: 'Dieser Kanal funktioniert. Sie müssen nichts tun.',
}

const byLanguage: Record<TeamLanguage, NotificationWords> = { en, de }

export function notificationWords(language: string): NotificationWords {
  return Object.hasOwn(byLanguage, language) ? byLanguage[language as TeamLanguage] : byLanguage.en
}

function counted(count: number, one: string, several: string): string {
  return count === 0 ? '' : `${count} ${count === 1 ? one : several}`
}
