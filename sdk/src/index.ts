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
export { type Client, type ClientOptions, createClient, type RequestOptions } from './client.ts'
export { DocentConnectionError, DocentError, DocentTimeoutError, toDocentError } from './errors.ts'
export type { ChatEvent, InboxEvent } from './events.ts'
export { type VerifyOptions, verifyWebhook, WebhookVerificationError } from './verify-webhook.ts'
