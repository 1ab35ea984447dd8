// Splits the recorded text of an audit log entry into readable text and ids to copy.

const ID = /\b[a-z]{2,4}_[0-9a-v]{20,}\b/g

interface AuditText {
  /** Without ids, unless nothing else was recorded. */
  text: string
  ids: string[]
}

/** `nameOf` finds the names of ids that still exist. */
export function auditText(recordedText: string, nameOf: (id: string) => string | undefined): AuditText {
  const ids = [...new Set(recordedText.match(ID))]
  const text = recordedText
    .replace(ID, '')
    .replaceAll(' ()', '')
    // "Helper: cnv_… (resolved)"
    .replace(/: +\(([^()]*)\)$/, ': $1')
    // "tok_… of ada@example.test", "Shop (key_…) → key_…", "Helper (bot_…): cnv_…"
    .replace(/^ +of |( →|:) *$/g, '')
    .trim()
  if (text) return { text, ids }
  const names = ids.flatMap((id) => nameOf(id) ?? [])
  return names.length > 0 ? { text: names.join(', '), ids } : { text: recordedText, ids: [] }
}

const CHANGES = [
  'bot.changed',
  'key.changed',
  'webhook.changed',
  'action.changed',
  'crawl.changed',
  'feed.changed',
  'notification_channel.changed',
]
// After the id, because a name may contain a colon: "Help: night (bot_…): name, widget.greeting"
const FIELDS = /^(.*) \([a-z]{2,4}_[0-9a-v]{20,}\): ([a-z_.]+(?:, [a-z_.]+)*)$/
// What belongs to a bot is recorded after it: "Helper (bot_…): site.test"
const BOT_BEFORE = /^.* \(bot_[0-9a-v]{20,}\): /

interface ChangedSettings {
  /** Of what was changed. */
  name: string
  fields: string[]
  /** What was recorded, without the fields. */
  target: string
}

/** Splits what was recorded into what was changed and which of its settings; null if none are recorded. */
export function changedSettings(action: string, recordedText: string): ChangedSettings | null {
  const [, name, fields] = (CHANGES.includes(action) && FIELDS.exec(recordedText)) || []
  if (!name || !fields) return null
  const target = recordedText.slice(0, -`: ${fields}`.length)
  return { name: name.replace(BOT_BEFORE, ''), fields: fields.split(', '), target }
}
