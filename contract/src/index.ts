// Everything that crosses the wire: schemas, the route table, the error catalogue, event names.
export {
  type Account,
  type AccountSession,
  type Invitation,
  PASSWORD_MIN_LENGTH,
  type Session,
} from './accounts/accounts.ts'
export { type AuditAction, type AuditEntry, auditActions } from './accounts/audit.ts'
export type { ExportedConversation, ExportedVisitor, Privacy, VisitorSummary } from './accounts/privacy.ts'
export type { Found } from './accounts/search.ts'
export { type Member, type Plan, plans, type Role, roles, type Token, type Workspace } from './accounts/workspaces.ts'
export type { Bot } from './bots/bots.ts'
export { DEFAULT_DAILY_LIMIT, KEYS_PER_BOT, type Key, type Overlap, overlaps } from './bots/keys.ts'
export type { LanguageModel, LanguageModelInput, LanguageModelTest, ModelUsage } from './bots/language-model.ts'
export {
  type ChannelKind,
  NOTIFICATION_CHANNELS_PER_BOT,
  type NotificationChannel,
  type NotificationType,
  notificationTypes,
} from './bots/notifications.ts'
export {
  type Delivery,
  type DeliveryAttempt,
  type DeliveryEventType,
  deliveryEventTypes,
  deliveryStates,
  WEBHOOKS_PER_BOT,
  type Webhook,
} from './bots/webhooks.ts'
export {
  DEFAULT_RETENTION_DAYS,
  defaultHandover,
  defaultLeadForm,
  defaultVisitorEmail,
  defaultWidget,
  type HandoverSettings,
  type LeadForm,
  type OfficeHours,
  type VisitorEmail,
  type WidgetSettings,
} from './bots/widget-settings.ts'
export type { Attachment, AttachmentType, OwnConversations } from './conversations/attachments.ts'
export { ChatRequest, ChatResponse, MESSAGE_LENGTH, METADATA_LIMIT_BYTES } from './conversations/chat.ts'
export type {
  Conversation,
  ConversationMessage,
  ConversationSummary,
  Happening,
  InboxStatus,
  Note,
  PatchConversation,
} from './conversations/conversations.ts'
export type { Decision } from './conversations/decisions.ts'
export type { Analytics, AnalyticsInterval, UnansweredQuestion, UnansweredTopic } from './conversations/insights.ts'
export type { Lead } from './conversations/leads.ts'
export { AskArguments, AskResult, type McpReply, SearchArguments, SearchResults } from './conversations/mcp.ts'
export {
  ANY_MODEL,
  type ChatCompletion,
  type ChatCompletionRequest,
  type CompletionMessage,
} from './conversations/openai.ts'
export type { CannedReply, Inbox, SavedFilters } from './conversations/team-inbox.ts'
export type { TryAnswer, TryTurn } from './conversations/try.ts'
export type {
  AttachmentAccepted,
  Button,
  ChatRatingInput,
  FeedbackInput,
  HandoverAccepted,
  HandoverInput,
  HandoverStatus,
  History,
  LeadAccepted,
  LeadInput,
  SourceSection,
  VisitorMessage,
  WidgetConfig,
  WidgetMessage,
  WidgetReply,
} from './conversations/widget.ts'
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
export { type CuratedAnswer, ImportedAnswer } from './knowledge/answers.ts'
export { type Crawl, type CrawlPage, type CrawlReason, crawlReasons } from './knowledge/crawls.ts'
export {
  type Document,
  DocumentInput,
  type DocumentSummary,
  type ImportReport,
  type SearchAnswer,
} from './knowledge/documents.ts'
export { FEEDS_PER_BOT, type Feed, type FeedReason, type FeedRun, feedReasons } from './knowledge/feeds.ts'
export type { File, UploadReport } from './knowledge/files.ts'
export {
  availabilities,
  type Product,
  type ProductSummary,
  type Sync,
  SyncOptions,
  type SyncRemark,
  type SyncReport,
} from './knowledge/products.ts'
export type { WrittenQuestions } from './knowledge/written-questions.ts'
export { openApiDocument } from './openapi.ts'
export type { AnswerOf, BodyOf, Caller, ParamsOf, QueryOf, RouteSpec } from './route.ts'
export { type RouteName, type Routes, routes } from './routes.ts'
export { HttpUrl, NOT_BLANK, type PageOf } from './schema.ts'
export { ErrorBody } from './system.ts'
