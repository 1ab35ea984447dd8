// Limits and defaults that the dashboard shows or keeps to, each in one place. Without imports, because it loads them without
// the schemas.

export const PASSWORD_MIN_LENGTH = 10
export const INVITATION_DAYS = 7

export const ACTIONS_PER_BOT = 15
export const INPUTS_PER_ACTION = 10
export const CHOICES_PER_INPUT = 10
export const HEADERS_PER_ACTION = 20
export const ACTION_RESPONSE_BYTES = 1024 ** 2

export const AVATAR_BYTES = 200 * 1024
/** Wide and high. */
export const AVATAR_PIXELS = 1024

/** Suggested questions, and buttons with the greeting or under an answer. */
export const BUTTONS_PER_PLACE = 6
/** Besides the first. */
export const FURTHER_PROACTIVE_MESSAGES = 5
export const PAGE_PATTERNS = 20
export const LEAD_FIELDS = 8

export const HANDOVER_KEYWORDS = 50
export const HANDOVER_QUESTIONS = 5
export const CHOICES_PER_QUESTION = 9
/** Of office hours and quiet hours. */
export const PERIODS = 14

export const REPLY_LENGTH = 4000
export const TAGS_PER_CONVERSATION = 20
export const TAG_LENGTH = 50

export const FEED_PAGES = 500
/** On single items of a sync or feed. */
export const REMARKS_PER_SYNC = 100
/** In the review of a bot's content. */
export const COMPARED_PASSAGES = 200_000
export const RECIPIENTS_PER_CHANNEL = 10
/** Chosen by hand; `npm run eval` reports how many of the given, suggested and withheld answers are right. */
export const DEFAULT_ANSWER_THRESHOLD = 0.5
export const DEFAULT_SUGGEST_THRESHOLD = 0.2

/** Of a curated answer and its other phrasings. */
export const QUESTION_LENGTH = 500
export const IDENTITY_KEYS_PER_BOT = 2
export const DEFAULT_DAILY_LIMIT = 1000
export const DEFAULT_RETENTION_DAYS = 90
