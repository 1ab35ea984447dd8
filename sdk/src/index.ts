// A typed client for Docent that works in Node and in browsers.

export type {
  Bot,
  ChatRequest,
  ChatResponse,
  ErrorCode,
  ErrorDetail,
  ResponseOf as AnswerOf,
  RouteName,
  Routes,
  UploadReport,
} from '@docent/contract'
export type { ChatEvent } from './chat-events.ts'
export { type Client, type ClientOptions, createClient, type RequestOptions } from './client.ts'
export { DocentConnectionError, DocentTimeoutError } from './connection-error.ts'
export { DocentError, toDocentError } from './docent-error.ts'
export type { InboxEvent } from './inbox-events.ts'
export { type VerifyOptions, verifyWebhook, WebhookVerificationError } from './verify-webhook.ts'
