// Opens the engine that the configuration names, brings its tables up to date, and hands out one object per table.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { accountsTable } from './accounts.ts'
import { activityDaysTable } from './activity-days.ts'
import { auditEntriesTable } from './audit-entries.ts'
import { botsTable } from './bots.ts'
import { conversationsTable } from './conversations.ts'
import { copyBeforeMigration } from './copy-before-migration.ts'
import { crawlPagesTable } from './crawl-pages.ts'
import { crawlsTable } from './crawls.ts'
import { curatedAnswersTable } from './curated-answers.ts'
import type { Database } from './database.ts'
import { deliveriesTable } from './deliveries.ts'
import { deliveryQueue } from './delivery-queue.ts'
import { documentVectorsTable } from './document-vectors.ts'
import { documentsTable } from './documents.ts'
import { filesTable } from './files.ts'
import { lockFolder } from './folder-lock.ts'
import { idempotentCallsTable } from './idempotent-calls.ts'
import { inboxTable } from './inbox.ts'
import { indexSnapshotsTable } from './index-snapshots.ts'
import { COPY_PROGRESS, instanceValueOf, instanceValuesTable } from './instance-values.ts'
import { invitationsTable } from './invitations.ts'
import { keysTable } from './keys.ts'
import { leadsTable } from './leads.ts'
import { linkTokensTable } from './link-tokens.ts'
import { managementTokensTable } from './management-tokens.ts'
import { membersTable } from './members.ts'
import { messagesTable } from './messages.ts'
import { migrate } from './migrate.ts'
import { modelCallDaysTable } from './model-call-days.ts'
import { modelUsageDaysTable } from './model-usage-days.ts'
import { peopleTable } from './people.ts'
import { openPostgres, postgresDialect } from './postgres.ts'
import { productReplacementsTable } from './product-replacements.ts'
import { productSnapshotsTable } from './product-snapshots.ts'
import { productSyncsTable } from './product-syncs.ts'
import { productsTable } from './products.ts'
import { questionWritingTable } from './question-writing.ts'
import { questionsTable } from './questions.ts'
import { quotaDaysTable } from './quota-days.ts'
import { retentionTable } from './retention.ts'
import { secondFactorsTable } from './second-factors.ts'
import { sessionsTable } from './sessions.ts'
import { openSqlite, sqliteDialect } from './sqlite.ts'
import { throttlesTable } from './throttles.ts'
import { visitorsTable } from './visitors.ts'
import { webhooksTable } from './webhooks.ts'
import { workspacesTable } from './workspaces.ts'

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
    deliveryQueue: deliveryQueue(database),
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
    signal: database.signal,
    onSignal: database.onSignal,
  }
}
