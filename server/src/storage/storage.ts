// Opens the configured engine, migrates its tables, and creates one object per table.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createAccountsTable } from './accounts/accounts.ts'
import { createInvitationsTable } from './accounts/invitations.ts'
import { createLinkTokensTable } from './accounts/link-tokens.ts'
import { createSecondFactorsTable } from './accounts/second-factors.ts'
import { createSessionsTable } from './accounts/sessions.ts'
import { createThrottlesTable } from './accounts/throttles.ts'
import { createAvatarsTable } from './bots/avatars.ts'
import { createBotsTable } from './bots/bots.ts'
import { createModelCallDaysTable } from './bots/model-call-days.ts'
import { createModelUsageDaysTable } from './bots/model-usage-days.ts'
import { createAttachmentsTable } from './conversations/attachments.ts'
import { createConversationsTable } from './conversations/conversations.ts'
import { createInboxTable } from './conversations/inbox.ts'
import { createInboxChangesTable } from './conversations/inbox-changes.ts'
import { createLeadsTable } from './conversations/leads.ts'
import { createMessagesTable } from './conversations/messages.ts'
import { createOwnConversationsTable } from './conversations/own-conversations.ts'
import { createPeopleTable } from './conversations/people.ts'
import { createRetentionTable } from './conversations/retention.ts'
import { createVisitorMailsTable } from './conversations/visitor-mails.ts'
import { createVisitorsTable } from './conversations/visitors.ts'
import { createCrawlPagesTable } from './crawls/crawl-pages.ts'
import { createCrawlsTable } from './crawls/crawls.ts'
import { type Database, StorageError } from './database.ts'
import { createCuratedAnswersTable } from './documents/curated-answers.ts'
import { createDocumentVectorsTable } from './documents/document-vectors.ts'
import { createDocumentsTable } from './documents/documents.ts'
import { createFilesTable } from './documents/files.ts'
import { createIndexSnapshotsTable } from './documents/index-snapshots.ts'
import { createQuestionWritingTable } from './documents/question-writing.ts'
import { copyBeforeMigration } from './engines/copy-before-migration.ts'
import { lockFolder } from './engines/folder-lock.ts'
import { openPostgres, postgresDialect } from './engines/postgres.ts'
import { openSqlite, sqliteDialect } from './engines/sqlite.ts'
import { createActivityTable } from './insights/activity.ts'
import { createQuestionsTable } from './insights/questions.ts'
import { COPY_PROGRESS, createInstanceValuesTable, readInstanceValue } from './instance-values.ts'
import { createIdempotentCallsTable } from './keys/idempotent-calls.ts'
import { createKeysTable } from './keys/keys.ts'
import { createQuotaDaysTable } from './keys/quota-days.ts'
import { migrate, type NodeName } from './migrate.ts'
import { migrations as all } from './migrations/migrations.ts'
import { createNodesTable } from './nodes.ts'
import { createProductFeedsTable } from './products/product-feeds.ts'
import { createProductReplacementsTable } from './products/product-replacements.ts'
import { createProductSnapshotsTable } from './products/product-snapshots.ts'
import { createProductSyncsTable } from './products/product-syncs.ts'
import { createProductsTable } from './products/products.ts'
import { createDeliveriesTable } from './webhooks/deliveries.ts'
import { createDeliveryQueue } from './webhooks/delivery-queue.ts'
import { createNotificationChannelsTable } from './webhooks/notification-channels.ts'
import { createNotificationItemsTable } from './webhooks/notification-items.ts'
import { createWebhooksTable } from './webhooks/webhooks.ts'
import { createAuditEntriesTable } from './workspaces/audit-entries.ts'
import { createCannedRepliesTable } from './workspaces/canned-replies.ts'
import { createManagementTokensTable } from './workspaces/management-tokens.ts'
import { createMemberAvatarsTable } from './workspaces/member-avatars.ts'
import { createMembersTable } from './workspaces/members.ts'
import { createSavedFiltersTable } from './workspaces/saved-filters.ts'
import { createWorkspaceSearch } from './workspaces/search.ts'
import { createWorkspacesTable } from './workspaces/workspaces.ts'

const FILE = 'docent.sqlite'

export interface StorageOptions {
  dataDir: string
  databaseUrl: string | null
  databasePoolSize: number
  /** A server that is starting; commands run alone. */
  node?: NodeName
}

export type Storage = ReturnType<typeof tables> & { close(): Promise<void> }

export async function openStorage(options: StorageOptions, now: number): Promise<Storage> {
  const release = options.databaseUrl ? () => {} : lockFolder(createFolder(options.dataDir))
  try {
    const database = await openDatabase(options, now)
    const close = async () => {
      await database.close()
      release()
    }
    if (await readInstanceValue(database, COPY_PROGRESS)) {
      await database.close()
      throw new Error('The move to this database is not finished. Run docent migrate-to-postgres again.')
    }
    return { ...tables(database), close }
  } catch (error) {
    release()
    throw error instanceof StorageError && error.kind === 'unavailable' ? unusable(error, options) : error
  }
}

/** For the operator: where the database was looked for, and what happened there. Never the password. */
function unusable(error: StorageError, { databaseUrl, dataDir }: StorageOptions): Error {
  const place = databaseUrl ? new URL(databaseUrl).host : join(dataDir, FILE)
  const { code, message } = (error.cause ?? {}) as { code?: string; message?: string }
  const why = message || code || error.reason || 'no reason was given'
  return new Error(`The database at ${place} cannot be used: ${why}`, { cause: error })
}

export async function openDatabase(options: StorageOptions, now: number, migrations = all): Promise<Database> {
  if (!options.databaseUrl) copyBeforeMigration(join(options.dataDir, FILE), migrations)
  const database = connect(options)
  try {
    await migrate(database, dialectOf(database), now, { node: options.node, migrations })
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

export function dialectOf({ engine }: Pick<Database, 'engine'>) {
  return engine === 'postgres' ? postgresDialect : sqliteDialect
}

function connect(options: StorageOptions): Database {
  if (options.databaseUrl) return openPostgres(options.databaseUrl, options.databasePoolSize)
  return openSqlite(join(createFolder(options.dataDir), FILE))
}

function createFolder(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

function tables(database: Database) {
  return {
    activity: createActivityTable(database),
    accounts: createAccountsTable(database),
    auditEntries: createAuditEntriesTable(database),
    bots: createBotsTable(database),
    cannedReplies: createCannedRepliesTable(database),
    conversations: createConversationsTable(database),
    crawlPages: createCrawlPagesTable(database),
    crawls: createCrawlsTable(database),
    curatedAnswers: createCuratedAnswersTable(database),
    deliveries: createDeliveriesTable(database),
    deliveryQueue: createDeliveryQueue(database),
    documents: createDocumentsTable(database),
    documentVectors: createDocumentVectorsTable(database),
    attachments: createAttachmentsTable(database),
    avatars: createAvatarsTable(database),
    ownConversations: createOwnConversationsTable(database),
    files: createFilesTable(database),
    idempotentCalls: createIdempotentCallsTable(database),
    inbox: createInboxTable(database),
    inboxChanges: createInboxChangesTable(database),
    indexSnapshots: createIndexSnapshotsTable(database),
    instanceValues: createInstanceValuesTable(database),
    invitations: createInvitationsTable(database),
    keys: createKeysTable(database),
    leads: createLeadsTable(database),
    linkTokens: createLinkTokensTable(database),
    managementTokens: createManagementTokensTable(database),
    memberAvatars: createMemberAvatarsTable(database),
    members: createMembersTable(database),
    messages: createMessagesTable(database),
    modelCallDays: createModelCallDaysTable(database),
    modelUsageDays: createModelUsageDaysTable(database),
    nodes: createNodesTable(database, dialectOf(database)),
    notificationChannels: createNotificationChannelsTable(database),
    notificationItems: createNotificationItemsTable(database),
    people: createPeopleTable(database),
    productFeeds: createProductFeedsTable(database),
    productReplacements: createProductReplacementsTable(database),
    products: createProductsTable(database),
    productSnapshots: createProductSnapshotsTable(database),
    productSyncs: createProductSyncsTable(database),
    questions: createQuestionsTable(database),
    questionWriting: createQuestionWritingTable(database),
    quotaDays: createQuotaDaysTable(database),
    retention: createRetentionTable(database),
    visitorMails: createVisitorMailsTable(database),
    visitors: createVisitorsTable(database),
    savedFilters: createSavedFiltersTable(database),
    secondFactors: createSecondFactorsTable(database),
    sessions: createSessionsTable(database),
    throttles: createThrottlesTable(database),
    webhooks: createWebhooksTable(database),
    workspaceSearch: createWorkspaceSearch(database),
    workspaces: createWorkspacesTable(database),
    transaction: database.transaction,
    engine: database.engine,
    load: database.load,
    measure: database.measure,
    signal: database.signal,
    onSignal: database.onSignal,
  }
}
