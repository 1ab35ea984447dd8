// Every error a caller can meet: code → status → public sentence. Rooms name a code, never a status.

export const errorCatalogue = {
  invalid_json: { status: 400, message: 'The request body is not valid JSON.' },
  validation_failed: { status: 400, message: 'The request has fields that are missing or not valid.' },
  invalid_api_key: {
    status: 401,
    message: 'The API key is missing, not valid, expired or revoked. Send it as "Authorization: Bearer <API_KEY>".',
  },
  invalid_sync_key: {
    status: 401,
    message: 'The sync key is missing, not valid, expired or revoked. Send it as "X-Service-Key: <SYNC_KEY>".',
  },
  invalid_management_token: {
    status: 401,
    message: 'The management token is missing or not valid. Send it as "Authorization: Bearer <token>", or log in.',
  },
  invalid_login: { status: 401, message: 'The e-mail address, the password or the code is not right.' },
  second_factor_required: {
    status: 401,
    message: 'This account needs a code of its authenticator app, or a recovery code, as "code".',
  },
  invalid_visitor_token: {
    status: 401,
    message: 'The visitor token is missing or not valid for this bot. Send it as "X-Visitor-Token: <token>".',
  },
  plan_required: { status: 403, message: 'The chat API needs the Business or Enterprise plan.' },
  origin_not_allowed: { status: 403, message: 'This bot is not open to pages of this origin.' },
  role_required: { status: 403, message: 'Your role does not allow this.' },
  reauthentication_required: {
    status: 403,
    message: 'Confirm your password first (POST /api/manage/v1/session/reauthenticate), then send this again.',
  },
  cross_site_request: {
    status: 403,
    message: 'This was not sent by a page of this site. Use a management token from elsewhere.',
  },
  bot_not_found: { status: 404, message: 'There is no such bot for this caller.' },
  model_not_found: {
    status: 404,
    message: 'There is no such model for this key. Send the id of its bot, or "docent".',
  },
  session_not_found: {
    status: 404,
    message: 'There is no such session for this bot. Leave session_id out to start a new conversation.',
  },
  not_found: { status: 404, message: 'There is nothing at this address.' },
  method_not_allowed: { status: 405, message: 'This address does not take that method; see the Allow header.' },
  not_acceptable: { status: 406, message: 'The Accept header rules out every format this address can send.' },
  request_timeout: { status: 408, message: 'The request did not arrive whole in time.' },
  idempotency_conflict: {
    status: 409,
    message: 'This Idempotency-Key was used with another body, or its first request is still being answered.',
  },
  key_not_active: {
    status: 409,
    message: 'The key is revoked or expired, or a successor has replaced it, so this cannot be changed any more.',
  },
  sync_expired: {
    status: 409,
    message: 'This sync was left unfinished for too long and has lapsed. Send the catalogue again with a new sync_id.',
  },
  last_owner: { status: 409, message: 'A workspace keeps at least one owner.' },
  no_account: { status: 409, message: 'This member has no account yet. Send an invitation instead.' },
  already_exists: { status: 409, message: 'There is one like this already.' },
  too_many_answers: { status: 409, message: 'A bot holds at most 500 curated answers. Put more on pages.' },
  too_many_webhooks: { status: 409, message: 'A bot has at most 20 webhooks beside those of its keys.' },
  not_a_widget_conversation: {
    status: 409,
    message: 'This conversation runs over the chat API, where nobody could read what a person replies.',
  },
  webhook_disabled: { status: 409, message: 'The webhook is disabled. Enable it first.' },
  too_many_crawls: { status: 409, message: 'A bot reads at most 50 websites. Remove one first.' },
  invalid_link: {
    status: 410,
    message: 'The link is not valid: it was used, has expired or was replaced by a newer one.',
  },
  payload_too_large: { status: 413, message: 'The request body is larger than this address takes.' },
  unsupported_media_type: { status: 415, message: 'The Content-Type is not one this address takes.' },
  empty_replace: {
    status: 422,
    message: 'A replace without products would empty the catalogue. Send "confirm_empty": true if that is meant.',
  },
  every_item_failed: { status: 422, message: 'No item could be taken in, so nothing was changed; see errors.' },
  daily_quota_exceeded: { status: 429, message: 'The key has used up its calls of today (UTC).' },
  rate_limited: { status: 429, message: 'That was a lot at once. Please wait a moment and try again.' },
  headers_too_large: { status: 431, message: 'The request headers are larger than the server takes.' },
  internal: { status: 500, message: 'Something went wrong on our side. It has been logged.' },
  unavailable: { status: 503, message: 'The service cannot answer just now. Please try again shortly.' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof errorCatalogue

export interface ErrorDetail {
  path: string
  message: string
}

/** A failure with a name from the catalogue; the one error handler turns it into an answer. */
export class Fault extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetail[] | undefined
  readonly headers: Record<string, string>

  constructor(
    code: ErrorCode,
    options: { message?: string; details?: ErrorDetail[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(options.message ?? errorCatalogue[code].message, { cause: options.cause })
    this.name = 'Fault'
    this.code = code
    this.details = options.details
    this.headers = options.headers ?? {}
  }

  get status(): number {
    return errorCatalogue[this.code].status
  }
}
