// Everything that crosses the wire: schemas, the route table, the error catalogue, event names.
export { type Account, type AccountSession, PASSWORD_MIN_LENGTH } from './accounts.ts'
export {
  ACTIONS_PER_BOT,
  type Action,
  type ActionAuth,
  type ActionFailure,
  type ActionInput,
  type ActionRequest,
  type ActionRun,
  type ActionTest,
  type CreateAction,
} from './actions.ts'
export type { Attachment, AttachmentType } from './attachments.ts'
export type { AuditEntry } from './audit.ts'
export { type AuditAction, auditActions } from './audit-actions.ts'
export type { Bot } from './bots.ts'
export { ChatRequest, ChatResponse, type Decision, MESSAGE_LENGTH, METADATA_LIMIT_BYTES } from './chat.ts'
export type {
  Conversation,
  ConversationMessage,
  ConversationSummary,
  Happening,
  InboxStatus,
  Note,
  PatchConversation,
} from './conversations.ts'
export { type Crawl, type CrawlPage, type CrawlReason, crawlReasons } from './crawls.ts'
export { type CuratedAnswer, ImportedAnswer } from './curated-answers.ts'
export { type Document, DocumentInput, type DocumentSummary, type ImportReport } from './documents.ts'
export { type ErrorCode, type ErrorDetail, errorCatalogue, Fault } from './errors.ts'
export {
  type EventData,
  type EventType,
  eventSchemas,
  eventTypes,
  type IntegrationEventType,
  integrationEventTypes,
  type MirroredEvent,
  type NotificationType,
  notificationTypes,
} from './events.ts'
export { FEEDS_PER_BOT, type Feed, type FeedReason, type FeedRun, feedReasons } from './feeds.ts'
export type { File, UploadReport } from './files.ts'
export type { CannedReply, Inbox, SavedFilters } from './inbox.ts'
export type { Analytics, AnalyticsInterval, UnansweredQuestion, UnansweredTopic } from './insights.ts'
export { DEFAULT_DAILY_LIMIT, KEYS_PER_BOT, type Key, type Overlap, overlaps } from './keys.ts'
export type {
  LanguageModel,
  LanguageModelInput,
  LanguageModelPreset,
  LanguageModelTest,
  ModelUsage,
} from './language-models.ts'
export { BOT_LANGUAGES, TEAM_LANGUAGES, type TeamLanguage, WIDGET_LANGUAGES, type WidgetLanguage } from './languages.ts'
export type { Lead } from './leads.ts'
export { AskArguments, AskResult, type McpReply, ProductSearchResults, SearchArguments, SearchResults } from './mcp.ts'
export type { Invitation, Member, Token } from './members.ts'
export {
  type ChannelKind,
  NOTIFICATION_CHANNELS_PER_BOT,
  type NotificationChannel,
} from './notifications.ts'
export { ANY_MODEL, type ChatCompletion, type ChatCompletionRequest, type CompletionMessage } from './openai.ts'
export type { InputItem, ResponsesRequest, ResponsesResponse } from './openai-responses.ts'
export { openApiDocument } from './openapi.ts'
export type { SearchAnswer, TryAnswer, TryTurn } from './playground.ts'
export {
  availabilities,
  type Product,
  type ProductSummary,
  type Sync,
  SyncOptions,
  type SyncRemark,
  type SyncReport,
} from './products.ts'
export {
  type AnswerOf,
  type BodyOf,
  type Caller,
  type ParamsOf,
  type QueryOf,
  type Role,
  type RouteSpec,
  roles,
} from './route.ts'
export { type RouteName, type Routes, routes } from './routes.ts'
export { HttpUrl, NOT_BLANK, type PageOf } from './schema.ts'
export type { Session } from './sessions.ts'
export { ErrorBody } from './system.ts'
export type { ExportedConversation, ExportedVisitor, Privacy, VisitorSummary } from './visitors.ts'
export {
  type Delivery,
  type DeliveryAttempt,
  type DeliveryEventType,
  deliveryEventTypes,
  deliveryStates,
  LISTENER_URL,
  WEBHOOKS_PER_BOT,
  type Webhook,
} from './webhooks.ts'
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
  OwnConversations,
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
  defaultVisitorEmail,
  defaultWidget,
  type HandoverSettings,
  type LeadForm,
  type OfficeHours,
  type VisitorEmail,
  type WidgetSettings,
} from './widget-settings.ts'
export { type Found, type Plan, plans, type Workspace } from './workspaces.ts'
export type { WrittenQuestions } from './written-questions.ts'
