// Opens the engine that the configuration names, brings its tables up to date, and hands out one object per table.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { accountsTable } from './accounts/accounts.ts'
import { invitationsTable } from './accounts/invitations.ts'
import { linkTokensTable } from './accounts/link-tokens.ts'
import { secondFactorsTable } from './accounts/second-factors.ts'
import { sessionsTable } from './accounts/sessions.ts'
import { throttlesTable } from './accounts/throttles.ts'
import { botsTable } from './bots/bots.ts'
import { modelCallDaysTable } from './bots/model-call-days.ts'
import { modelUsageDaysTable } from './bots/model-usage-days.ts'
import { conversationsTable } from './conversations/conversations.ts'
import { inboxTable } from './conversations/inbox.ts'
import { leadsTable } from './conversations/leads.ts'
import { messagesTable } from './conversations/messages.ts'
import { peopleTable } from './conversations/people.ts'
import { retentionTable } from './conversations/retention.ts'
import { visitorsTable } from './conversations/visitors.ts'
import { crawlPagesTable } from './crawls/crawl-pages.ts'
import { crawlsTable } from './crawls/crawls.ts'
import type { Database } from './database.ts'
import { curatedAnswersTable } from './documents/curated-answers.ts'
import { documentVectorsTable } from './documents/document-vectors.ts'
import { documentsTable } from './documents/documents.ts'
import { filesTable } from './documents/files.ts'
import { indexSnapshotsTable } from './documents/index-snapshots.ts'
import { questionWritingTable } from './documents/question-writing.ts'
import { copyBeforeMigration } from './engines/copy-before-migration.ts'
import { lockFolder } from './engines/folder-lock.ts'
import { openPostgres, postgresDialect } from './engines/postgres.ts'
import { openSqlite, sqliteDialect } from './engines/sqlite.ts'
import { activityDaysTable } from './insights/activity-days.ts'
import { questionsTable } from './insights/questions.ts'
import { COPY_PROGRESS, instanceValueOf, instanceValuesTable } from './instance-values.ts'
import { idempotentCallsTable } from './keys/idempotent-calls.ts'
import { keysTable } from './keys/keys.ts'
import { quotaDaysTable } from './keys/quota-days.ts'
import { migrate } from './migrate.ts'
import { productReplacementsTable } from './products/product-replacements.ts'
import { productSnapshotsTable } from './products/product-snapshots.ts'
import { productSyncsTable } from './products/product-syncs.ts'
import { productsTable } from './products/products.ts'
import { deliveriesTable } from './webhooks/deliveries.ts'
import { createDeliveryQueue } from './webhooks/delivery-queue.ts'
import { webhooksTable } from './webhooks/webhooks.ts'
import { auditEntriesTable } from './workspaces/audit-entries.ts'
import { managementTokensTable } from './workspaces/management-tokens.ts'
import { membersTable } from './workspaces/members.ts'
import { workspacesTable } from './workspaces/workspaces.ts'

const FILE = 'docent.sqlite'

export interface StorageOptions {
  dataDir: string
  databaseUrl: string | null
  databasePoolSize: number
}

export type Storage = ReturnType<typeof tables> & { close(): Promise<void> }

export async function openStorage(options: StorageOptions, now: number): Promise<Storage> {
  const release = options.databaseUrl ? () => {} : lockFolder(madeFolder(options.dataDir))
  try {
    const database = await openDatabase(options, now)
    const close = async () => {
      await database.close()
      release()
    }
    if (await instanceValueOf(database, COPY_PROGRESS)) {
      await database.close()
      throw new Error('The move to this database is not finished. Run docent migrate-to-postgres again.')
    }
    return { ...tables(database), close }
  } catch (error) {
    release()
    throw error
  }
}

export async function openDatabase(options: StorageOptions, now: number): Promise<Database> {
  if (!options.databaseUrl) copyBeforeMigration(join(options.dataDir, FILE))
  const database = connect(options)
  try {
    await migrate(database, options.databaseUrl ? postgresDialect : sqliteDialect, now)
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

function connect(options: StorageOptions): Database {
  if (options.databaseUrl) return openPostgres(options.databaseUrl, options.databasePoolSize)
  return openSqlite(join(madeFolder(options.dataDir), FILE))
}

function madeFolder(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

function tables(database: Database) {
  return {
    activityDays: activityDaysTable(database),
    accounts: accountsTable(database),
    auditEntries: auditEntriesTable(database),
    bots: botsTable(database),
    conversations: conversationsTable(database),
    crawlPages: crawlPagesTable(database),
    crawls: crawlsTable(database),
    curatedAnswers: curatedAnswersTable(database),
    deliveries: deliveriesTable(database),
    deliveryQueue: createDeliveryQueue(database),
    documents: documentsTable(database),
    documentVectors: documentVectorsTable(database),
    files: filesTable(database),
    idempotentCalls: idempotentCallsTable(database),
    inbox: inboxTable(database),
    indexSnapshots: indexSnapshotsTable(database),
    instanceValues: instanceValuesTable(database),
    invitations: invitationsTable(database),
    keys: keysTable(database),
    leads: leadsTable(database),
    linkTokens: linkTokensTable(database),
    managementTokens: managementTokensTable(database),
    members: membersTable(database),
    messages: messagesTable(database),
    modelCallDays: modelCallDaysTable(database),
    modelUsageDays: modelUsageDaysTable(database),
    people: peopleTable(database),
    productReplacements: productReplacementsTable(database),
    products: productsTable(database),
    productSnapshots: productSnapshotsTable(database),
    productSyncs: productSyncsTable(database),
    questions: questionsTable(database),
    questionWriting: questionWritingTable(database),
    quotaDays: quotaDaysTable(database),
    retention: retentionTable(database),
    visitors: visitorsTable(database),
    secondFactors: secondFactorsTable(database),
    sessions: sessionsTable(database),
    throttles: throttlesTable(database),
    webhooks: webhooksTable(database),
    workspaces: workspacesTable(database),
    transaction: database.transaction,
    engine: database.engine,
    measure: database.measure,
    signal: database.signal,
    onSignal: database.onSignal,
  }
}
