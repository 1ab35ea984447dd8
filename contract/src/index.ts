// What crosses the wire: schemas, the route table, the error catalogue, event names.
export { type Account, type AccountSession, type Invitation, PASSWORD_LEAST, type Session } from './accounts.ts'
export { type CuratedAnswer, ImportedAnswer } from './answers.ts'
export { type AuditAction, type AuditEntry, auditActions } from './audit.ts'
export type { Bot } from './bots.ts'
export { ChatRequest, ChatResponse, MESSAGE_LENGTH, METADATA_LIMIT_BYTES } from './chat.ts'
export type { Conversation, ConversationMessage, ConversationSummary, Note } from './conversations.ts'
export { type Crawl, type CrawlPage, type CrawlReason, crawlReasons } from './crawls.ts'
export type { Decision } from './decisions.ts'
export {
  type Document,
  DocumentInput,
  type DocumentSummary,
  type ImportReport,
  type SearchAnswer,
} from './documents.ts'
export { type ErrorCode, type ErrorDetail, errorCatalogue, Fault } from './errors.ts'
export {
  type EventData,
  type EventType,
  eventSchemas,
  eventTypes,
  type IntegrationEventType,
  integrationEventTypes,
  type MirroredEvent,
} from './events.ts'
export type { File, UploadReport } from './files.ts'
export type { Analytics, AnalyticsInterval, UnansweredQuestion } from './insights.ts'
export { DEFAULT_DAILY_LIMIT, type Key, type Overlap, overlaps } from './keys.ts'
export type { LanguageModel, LanguageModelInput, ModelUsage } from './language-model.ts'
export type { Lead } from './leads.ts'
export { AskArguments, AskResult, type McpReply, SearchArguments, SearchResults } from './mcp.ts'
export { ANY_MODEL, type ChatCompletion, type ChatCompletionRequest, type CompletionMessage } from './openai.ts'
export { openApiDocument } from './openapi.ts'
export type { ExportedConversation, ExportedVisitor, Privacy, VisitorSummary } from './privacy.ts'
export {
  availabilities,
  type Product,
  type ProductSummary,
  type Sync,
  SyncOptions,
  type SyncRemark,
  type SyncReport,
} from './products.ts'
export type { AnswerOf, BodyOf, Caller, ParamsOf, QueryOf, RouteSpec } from './route.ts'
export { type RouteName, type Routes, routes } from './routes.ts'
export { HttpUrl, NOT_BLANK, type PageOf } from './schema.ts'
export { ErrorBody } from './system.ts'
export type { TryAnswer } from './try.ts'
export { type Delivery, type DeliveryAttempt, deliveryStates, WEBHOOKS_PER_BOT, type Webhook } from './webhooks.ts'
export type {
  Button,
  FeedbackInput,
  HandoverInput,
  HandoverStatus,
  HandoverTaken,
  History,
  LeadInput,
  LeadTaken,
  SourceSection,
  VisitorMessage,
  WidgetConfig,
  WidgetMessage,
  WidgetReply,
} from './widget.ts'
export {
  DEFAULT_RETENTION_DAYS,
  defaultHandover,
  defaultLeadForm,
  defaultWidget,
  type HandoverSettings,
  type LeadForm,
  type OfficeHours,
  type WidgetSettings,
} from './widget-settings.ts'
export { type Member, type Plan, plans, type Role, roles, type Token, type Workspace } from './workspaces.ts'
export type { WrittenQuestions } from './written-questions.ts'
