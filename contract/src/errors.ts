// Every error a caller can get: code → status → public message. Modules use a code, never a status.
import { ACTIONS_PER_BOT } from './limits.ts'

export const errorCatalogue = {
  invalid_json: { status: 400, message: 'The request body is not valid JSON.' },
  validation_failed: { status: 400, message: 'Some fields are missing or invalid.' },
  invalid_api_key: {
    status: 401,
    message: 'The API key is missing, invalid, expired or revoked. Send it as "Authorization: Bearer <API_KEY>".',
  },
  invalid_sync_key: {
    status: 401,
    message: 'The sync key is missing, invalid, expired or revoked. Send it as "X-Service-Key: <SYNC_KEY>".',
  },
  invalid_management_token: {
    status: 401,
    message: 'The management token is missing or invalid. Send it as "Authorization: Bearer <token>", or log in.',
  },
  invalid_login: { status: 401, message: 'The email, password or code is incorrect.' },
  second_factor_required: {
    status: 401,
    message: 'Two-factor authentication is on. Send a code from the authenticator app, or a recovery code, as "code".',
  },
  invalid_visitor_token: {
    status: 401,
    message: 'The visitor token is missing or invalid for this bot. Send it as "X-Visitor-Token: <token>".',
  },
  invalid_user_token: {
    status: 401,
    message:
      'The user token or user hash is invalid or expired. Sign it with an identity key of this bot; tokens are valid for at most 24 hours.',
  },
  user_token_required: { status: 401, message: 'This chat is only for people who are logged in on the website.' },
  plan_required: { status: 403, message: 'The chat API requires the Business or Enterprise plan.' },
  password_login_disabled: {
    status: 403,
    message: 'Passwords are not used on this instance. Log in through your single sign-on.',
  },
  password_not_set: {
    status: 409,
    message:
      'This account has no password yet. Set one first, with a link from "Forgot your password?" or from an owner of your workspace.',
  },
  email_proof_required: {
    status: 409,
    message: 'Only the person can change their email address, with the link sent to the new one.',
  },
  sso_refused: { status: 403, message: 'Your account does not have access. Ask an owner of your workspace.' },
  sso_failed: { status: 502, message: 'Single sign-on did not work. Please try again.' },
  origin_not_allowed: { status: 403, message: 'This site is not among the allowed sites of this bot.' },
  role_required: { status: 403, message: 'Your role does not allow this.' },
  reauthentication_required: {
    status: 403,
    message: 'Confirm your password first (POST /api/manage/v1/session/reauthenticate), then send the request again.',
  },
  cross_site_request: {
    status: 403,
    message: 'Cross-site requests with a session are not allowed. Use a management token instead.',
  },
  bot_not_found: { status: 404, message: 'Bot not found.' },
  model_not_found: {
    status: 404,
    message: 'Model not found. Send the id of the bot of this key, or "docent".',
  },
  session_not_found: {
    status: 404,
    message: 'Session not found. Omit session_id to start a new conversation.',
  },
  not_found: { status: 404, message: 'Not found.' },
  method_not_allowed: { status: 405, message: 'This method is not allowed here. See the Allow header.' },
  not_acceptable: { status: 406, message: 'None of the formats in the Accept header is available.' },
  request_timeout: { status: 408, message: 'The request timed out before it was complete.' },
  idempotency_conflict: {
    status: 409,
    message: 'This Idempotency-Key was used with a different body, or its first request is still in progress.',
  },
  key_not_active: {
    status: 409,
    message: 'The key is revoked, expired or already rotated and can no longer be changed.',
  },
  sync_expired: {
    status: 409,
    message: 'This sync expired before it was finished. Send the catalogue again with a new sync_id.',
  },
  last_owner: { status: 409, message: 'A workspace needs at least one owner.' },
  no_account: { status: 409, message: 'This member has no account yet. Send an invitation instead.' },
  already_exists: { status: 409, message: 'This already exists.' },
  too_many_answers: {
    status: 409,
    message: 'A bot can have at most 500 curated answers. Add further content as documents.',
  },
  too_many_proposals: {
    status: 409,
    message: 'A bot can have at most 200 proposed answers. An editor has to decide on some first.',
  },
  too_many_test_questions: { status: 409, message: 'A bot can have at most 200 test questions. Delete one first.' },
  no_test_questions: { status: 409, message: 'This bot has no test questions yet. Add one first.' },
  too_many_actions: { status: 409, message: `A bot can have at most ${ACTIONS_PER_BOT} actions. Delete one first.` },
  too_many_keys: { status: 409, message: 'A bot can have at most 50 valid API keys. Revoke one first.' },
  too_many_identity_keys: { status: 409, message: 'A bot can have at most two identity keys. Delete one first.' },
  too_many_webhooks: { status: 409, message: 'A bot can have at most 20 webhooks, not counting mirrors of API keys.' },
  too_many_notification_channels: { status: 409, message: 'A bot can have at most 10 notification channels.' },
  notification_channel_disabled: { status: 409, message: 'The notification channel is disabled. Enable it first.' },
  email_not_configured: {
    status: 409,
    message: 'This instance cannot send email. Its operator has to set SMTP_URL and MAIL_FROM.',
  },
  no_email_address: { status: 409, message: 'No email address was left in this conversation.' },
  not_a_widget_conversation: {
    status: 409,
    message: 'This conversation uses the chat API. Agents can only reply in widget conversations.',
  },
  passage_changed: {
    status: 409,
    message: 'Somebody else changed this passage first. Copy your text, cancel, and open it again.',
  },
  conversation_changed: {
    status: 409,
    message: 'Somebody else changed this conversation first. Reload it.',
  },
  too_many_canned_replies: { status: 409, message: 'A workspace can have at most 500 canned replies.' },
  webhook_disabled: { status: 409, message: 'The webhook is disabled. Enable it first.' },
  too_many_feeds: { status: 409, message: 'A bot can have at most 10 product feeds. Remove one first.' },
  too_many_crawls: { status: 409, message: 'A bot can have at most 50 websites. Remove one first.' },
  invalid_link: {
    status: 410,
    message: 'This link is no longer valid. It was used, has expired or was replaced by a newer one.',
  },
  unsupported_file: {
    status: 415,
    message: 'Only PNG, JPEG, GIF and WebP pictures, PDF and text files can be sent.',
  },
  payload_too_large: { status: 413, message: 'The request body is too large.' },
  unsupported_media_type: { status: 415, message: 'This Content-Type is not supported.' },
  empty_replace: {
    status: 422,
    message: 'A replace without products would empty the catalogue. Send "confirm_empty": true to confirm.',
  },
  every_item_failed: { status: 422, message: 'Every item failed, so nothing was changed. See errors.' },
  daily_quota_exceeded: { status: 429, message: 'The daily limit of this key is used up. It resets at midnight UTC.' },
  rate_limited: { status: 429, message: 'Too many requests. Please wait a moment and try again.' },
  headers_too_large: { status: 431, message: 'The request headers are too large.' },
  internal: { status: 500, message: 'Something went wrong on our side. It has been logged.' },
  unavailable: { status: 503, message: 'The service is temporarily unavailable. Please try again shortly.' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof errorCatalogue

export interface ErrorDetail {
  path: string
  message: string
}

/** An error from the catalogue; the error handler turns it into a response. */
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
