// Everything that crosses the wire: schemas, the route table, the error catalogue, event names.
export type { Account, AccountSession } from './accounts.ts'
export {
  ACTION_VISITOR_FIELDS,
  type Action,
  type ActionAuth,
  type ActionFailure,
  type ActionInput,
  type ActionRequest,
  type ActionRun,
  type ActionTest,
  type ActionVisitorField,
  type CreateAction,
} from './actions.ts'
export type { AnswerProposal } from './answer-proposals.ts'
export type { Attachment, AttachmentType } from './attachments.ts'
export type { AuditEntry } from './audit.ts'
export { AUDIT_ACTIONS, type AuditAction } from './audit-actions.ts'
export type { Availability } from './availability.ts'
export type { Bot } from './bots.ts'
export { type Button, ChatRequest, ChatResponse, type Decision, MESSAGE_LENGTH, METADATA_LIMIT_BYTES } from './chat.ts'
export type { ContentReview } from './content-review.ts'
export type {
  Conversation,
  ConversationChange,
  ConversationMessage,
  ConversationSummary,
  Happening,
  InboxStatus,
  Note,
  PatchConversation,
  Visit,
} from './conversations.ts'
export { CRAWL_REASONS, type Crawl, type CrawlPage, type CrawlReason } from './crawls.ts'
export { type CuratedAnswer, ImportedAnswer } from './curated-answers.ts'
export { type Document, DocumentInput, type DocumentSummary, type ImportReport } from './documents.ts'
export { type ErrorCode, type ErrorDetail, errorCatalogue, Fault } from './errors.ts'
export {
  type EventData,
  type EventType,
  eventSchemas,
  eventTypes,
  INTEGRATION_EVENT_TYPES,
  type IntegrationEventType,
  type MirroredEvent,
  NOTIFICATION_TYPES,
  type NotificationType,
} from './events.ts'
export { FEED_REASONS, FEEDS_PER_BOT, type Feed, type FeedReason, type FeedRun, type ShopKey } from './feeds.ts'
export type { File, UploadReport } from './files.ts'
export type { GeneratedQuestions } from './generated-questions.ts'
export type { AttentionKind, Home } from './home.ts'
export type { EventVisitor, Identified, Identity, IdentityKey, VisitorLevel } from './identity.ts'
export type { CannedReply, Inbox, SavedFilters } from './inbox.ts'
export type {
  Analytics,
  AnalyticsInterval,
  AskedTopic,
  Resolution,
  UnansweredQuestion,
  UnansweredTopic,
  WorkspaceAnalytics,
} from './insights.ts'
export { KEYS_PER_BOT, type Key, type Overlap, overlaps } from './keys.ts'
export type {
  LanguageModel,
  LanguageModelInput,
  LanguageModelPreset,
  LanguageModelTest,
  ModelUsage,
} from './language-models.ts'
export { BOT_LANGUAGES, TEAM_LANGUAGES, type TeamLanguage, WIDGET_LANGUAGES, type WidgetLanguage } from './languages.ts'
export type { Lead } from './leads.ts'
export {
  ACTION_RESPONSE_BYTES,
  ACTIONS_PER_BOT,
  AVATAR_BYTES,
  AVATAR_PIXELS,
  BUTTONS_PER_PLACE,
  COMPARED_PASSAGES,
  DEFAULT_ANSWER_THRESHOLD,
  DEFAULT_DAILY_LIMIT,
  DEFAULT_RETENTION_DAYS,
  DEFAULT_SUGGEST_THRESHOLD,
  FEED_PAGES,
  IDENTITY_KEYS_PER_BOT,
  INVITATION_DAYS,
  PASSWORD_MIN_LENGTH,
  REMARKS_PER_SYNC,
  TAGS_PER_CONVERSATION,
} from './limits.ts'
export { AskArguments, AskResult, type McpReply, ProductSearchResults, SearchArguments, SearchResults } from './mcp.ts'
export type { Invitation, Member, OpenInvitation, Token } from './members.ts'
export {
  type ChannelKind,
  NOTIFICATION_CHANNELS_PER_BOT,
  type NotificationChannel,
} from './notifications.ts'
export { ANY_MODEL, type ChatCompletion, type ChatCompletionRequest, type CompletionMessage } from './openai.ts'
export type { InputItem, ResponsesRequest, ResponsesResponse } from './openai-responses.ts'
export { openApiDocument } from './openapi.ts'
export type { Passage, PatchPassage } from './passages.ts'
export type { SearchAnswer, TryAnswer, TryTurn } from './playground.ts'
export {
  AVAILABILITIES,
  type Product,
  type ProductSummary,
  type Sync,
  SyncOptions,
  type SyncRemark,
  type SyncReport,
} from './products.ts'
export {
  type BodyOf,
  type Caller,
  type ParamsOf,
  type QueryOf,
  type ResponseOf,
  ROLES,
  type Role,
  type RouteSpec,
} from './route.ts'
export { type RouteName, type Routes, routes } from './routes.ts'
export { HttpUrl, NOT_BLANK, type PageOf } from './schema.ts'
export { SCREENS, screenPath } from './screens.ts'
export type { Session } from './sessions.ts'
export type { Draft, DraftInput, ReplySuggestions } from './suggestions.ts'
export { ErrorBody } from './system.ts'
export { MAX_TEST_QUESTIONS, type TestQuestion, type TestRun, type TestRunResults } from './test-questions.ts'
export type { ExportedConversation, ExportedVisitor, Privacy, VisitorSummary } from './visitors.ts'
export {
  DELIVERY_STATES,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryEventType,
  deliveryEventTypes,
  LISTENER_URL,
  WEBHOOKS_PER_BOT,
  type Webhook,
} from './webhooks.ts'
export type { ProposedQuestions, Website } from './websites.ts'
export type {
  AttachmentAccepted,
  ChatRatingInput,
  FeedbackInput,
  HandoverAccepted,
  HandoverInput,
  HandoverStatus,
  History,
  LeadAccepted,
  LeadInput,
  OwnConversations,
  SentForm,
  SourceSection,
  VisitorMessage,
  WidgetConfig,
  WidgetMessage,
  WidgetReply,
} from './widget.ts'
export {
  defaultHandover,
  defaultIdentity,
  defaultLeadForm,
  defaultVisitorEmail,
  defaultWidget,
  type FlowButton,
  type HandoverQuestion,
  type HandoverSettings,
  type IdentitySettings,
  type LeadForm,
  type OfficeHours,
  type Translation,
  type VisitorEmail,
  type WidgetSettings,
} from './widget-settings.ts'
export { type Found, PLANS, type Plan, type Workspace } from './workspaces.ts'
