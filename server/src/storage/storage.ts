// Opens the configured engine, migrates its tables, and creates one object per table.
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFile } from '../private-file.ts'
import { openAccountsTable, openSecondFactorsTable } from './accounts.ts'
import { openActionRunsTable, openActionsTable } from './actions.ts'
import { openActivityTable } from './activity.ts'
import { openAnswerProposalsTable } from './answer-proposals.ts'
import { openAttachmentsTable } from './attachments.ts'
import { openAttentionTable } from './attention.ts'
import { openAuditEntriesTable } from './audit.ts'
import { openAvatarsTable, openMemberAvatarsTable } from './avatars.ts'
import { openBotsTable } from './bots.ts'
import { openCannedRepliesTable } from './canned-replies.ts'
import { openConversationChangesTable } from './conversation-changes.ts'
import { openConversationsTable, openOwnConversationsTable } from './conversations.ts'
import { openCrawlPagesTable } from './crawl-pages.ts'
import { openCrawlsTable } from './crawls.ts'
import { openCuratedAnswersTable } from './curated-answers.ts'
import { type Database, StorageError } from './database.ts'
import { openDeliveriesTable } from './deliveries.ts'
import { openDeliveryQueue } from './delivery-queue.ts'
import { openDocumentsTable } from './documents.ts'
import { lockFolder } from './engines/folder-lock.ts'
import { openPostgres, postgresDialect } from './engines/postgres.ts'
import { connectSqlite, openSqlite, sqliteDialect } from './engines/sqlite.ts'
import { openProductFeedsTable } from './feeds.ts'
import { openFilesTable } from './files.ts'
import { openGeneratedQuestionsTable } from './generated-questions.ts'
import { openIdempotentCallsTable } from './idempotent-calls.ts'
import { openIdentitiesTable, openIdentityKeysTable } from './identities.ts'
import { openInboxChangesTable, openInboxTable, openSavedFiltersTable } from './inbox.ts'
import { COPY_PROGRESS, openInstanceValuesTable, openNodesTable, readInstanceValue } from './instance.ts'
import { openKeysTable } from './keys.ts'
import { openLeadsTable } from './leads.ts'
import { openInvitationsTable, openLinkTokensTable } from './links.ts'
import { openManagementTokensTable } from './management-tokens.ts'
import { openMembersTable } from './members.ts'
import { openMessagesTable } from './messages.ts'
import { migrate, type NodeName } from './migrations/migrate.ts'
import { migrations as all, type Migration } from './migrations/migrations.ts'
import { openModelCallDaysTable, openModelUsageDaysTable } from './model-usage.ts'
import { openNotificationChannelsTable, openNotificationItemsTable } from './notifications.ts'
import { openPassagesTable } from './passages.ts'
import { openPeopleTable, openRetentionTable } from './privacy.ts'
import { openProductReplacementsTable, openProductSyncsTable } from './product-syncs.ts'
import { openProductsTable } from './products.ts'
import { openQuestionsTable } from './questions.ts'
import { openQuotaDaysTable } from './quota.ts'
import { openResolutionsTable } from './resolutions.ts'
import { openWorkspaceSearch } from './search.ts'
import { openSessionsTable } from './sessions.ts'
import { openIndexSnapshotsTable, openProductSnapshotsTable } from './snapshots.ts'
import { openTestQuestionsTable, openTestRunsTable } from './test-questions.ts'
import { openThrottlesTable } from './throttles.ts'
import { openDocumentVectorsTable } from './vectors.ts'
import { openVisitorMailsTable, openVisitorsTable } from './visitors.ts'
import { openVisitsTable } from './visits.ts'
import { openWebhooksTable } from './webhooks.ts'
import { openWorkspacesTable } from './workspaces.ts'

const FILE = 'docent.sqlite'

interface StorageOptions {
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

/** Copies the SQLite file before a migration, so that a failed upgrade can be rolled back. */
function copyBeforeMigration(path: string, migrations: Migration[]) {
  if (!existsSync(path)) return
  const connection = connectSqlite(path, { readOnly: true })
  try {
    const appliedNumbers = appliedTo(connection)
    if (appliedNumbers.length === 0 || migrations.every((_, index) => appliedNumbers.includes(index + 1))) return
    const copy = `${path}.schema-${Math.max(...appliedNumbers)}`
    rmSync(copy, { force: true })
    makePrivateFile(copy)
    connection.run('VACUUM INTO $1', [copy])
  } finally {
    connection.close()
  }
}

/** Numbers of the migrations. */
function appliedTo(connection: ReturnType<typeof connectSqlite>): number[] {
  const table = connection.run(`SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'`)
  if (table.length === 0) return []
  return connection.run<{ version: number }>('SELECT version FROM schema_migrations').map(({ version }) => version)
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
    actionRuns: openActionRunsTable(database),
    actions: openActionsTable(database),
    activity: openActivityTable(database),
    accounts: openAccountsTable(database),
    answerProposals: openAnswerProposalsTable(database),
    auditEntries: openAuditEntriesTable(database),
    bots: openBotsTable(database),
    cannedReplies: openCannedRepliesTable(database),
    conversations: openConversationsTable(database),
    crawlPages: openCrawlPagesTable(database),
    crawls: openCrawlsTable(database),
    curatedAnswers: openCuratedAnswersTable(database),
    deliveries: openDeliveriesTable(database),
    deliveryQueue: openDeliveryQueue(database),
    documents: openDocumentsTable(database),
    passages: openPassagesTable(database),
    documentVectors: openDocumentVectorsTable(database),
    attachments: openAttachmentsTable(database),
    avatars: openAvatarsTable(database),
    ownConversations: openOwnConversationsTable(database),
    files: openFilesTable(database),
    idempotentCalls: openIdempotentCallsTable(database),
    identities: openIdentitiesTable(database, openVisitorsTable(database)),
    identityKeys: openIdentityKeysTable(database),
    inbox: openInboxTable(database),
    conversationChanges: openConversationChangesTable(database),
    inboxChanges: openInboxChangesTable(database),
    indexSnapshots: openIndexSnapshotsTable(database),
    instanceValues: openInstanceValuesTable(database),
    invitations: openInvitationsTable(database),
    keys: openKeysTable(database),
    leads: openLeadsTable(database),
    linkTokens: openLinkTokensTable(database),
    managementTokens: openManagementTokensTable(database),
    memberAvatars: openMemberAvatarsTable(database),
    members: openMembersTable(database),
    messages: openMessagesTable(database),
    modelCallDays: openModelCallDaysTable(database),
    modelUsageDays: openModelUsageDaysTable(database),
    nodes: openNodesTable(database, dialectOf(database)),
    notificationChannels: openNotificationChannelsTable(database),
    notificationItems: openNotificationItemsTable(database),
    people: openPeopleTable(database),
    productFeeds: openProductFeedsTable(database),
    productReplacements: openProductReplacementsTable(database),
    products: openProductsTable(database),
    productSnapshots: openProductSnapshotsTable(database),
    productSyncs: openProductSyncsTable(database),
    questions: openQuestionsTable(database),
    generatedQuestions: openGeneratedQuestionsTable(database),
    resolutions: openResolutionsTable(database),
    attention: openAttentionTable(database),
    quotaDays: openQuotaDaysTable(database),
    retention: openRetentionTable(database),
    visitorMails: openVisitorMailsTable(database),
    visitors: openVisitorsTable(database),
    visits: openVisitsTable(database),
    savedFilters: openSavedFiltersTable(database),
    secondFactors: openSecondFactorsTable(database),
    sessions: openSessionsTable(database),
    testQuestions: openTestQuestionsTable(database),
    testRuns: openTestRunsTable(database),
    throttles: openThrottlesTable(database),
    webhooks: openWebhooksTable(database),
    workspaceSearch: openWorkspaceSearch(database),
    workspaces: openWorkspacesTable(database),
    transaction: database.transaction,
    engine: database.engine,
    load: database.load,
    measure: database.measure,
    signal: database.signal,
    onSignal: database.onSignal,
  }
}
