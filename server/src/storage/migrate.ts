// Migrates the tables to this version's schema. All pending migrations run in one transaction, on one node at a time.
import type { Database, Dialect, Queries } from './database.ts'
import { foundation } from './migrations/0001-foundation.ts'
import { webhooks } from './migrations/0002-webhooks.ts'
import { languageModel } from './migrations/0003-language-model.ts'
import { products } from './migrations/0004-products.ts'
import { crawls } from './migrations/0005-crawls.ts'
import { files } from './migrations/0006-files.ts'
import { productAnswers } from './migrations/0007-product-answers.ts'
import { widget } from './migrations/0008-widget.ts'
import { accounts } from './migrations/0009-accounts.ts'
import { productSnapshots } from './migrations/0010-product-snapshots.ts'
import { insights } from './migrations/0011-insights.ts'
import { documentSizes } from './migrations/0012-document-sizes.ts'
import { oneOfEach } from './migrations/0013-one-of-each.ts'
import { fewerDeliveryIndexes } from './migrations/0014-fewer-delivery-indexes.ts'
import { indexesOfWhatEnded } from './migrations/0015-indexes-of-what-ended.ts'
import { writtenQuestions } from './migrations/0016-written-questions.ts'
import { parserVersion } from './migrations/0017-parser-version.ts'
import { access } from './migrations/0018-access.ts'
import { instanceValues } from './migrations/0019-instance-values.ts'
import { modelCallDays } from './migrations/0020-model-call-days.ts'
import { notifications } from './migrations/0021-notifications.ts'
import { decisions } from './migrations/0022-decisions.ts'
import { firstHour } from './migrations/0023-first-hour.ts'
import { visitorMails } from './migrations/0024-visitor-mails.ts'
import { lists } from './migrations/0025-lists.ts'
import { oidc } from './migrations/0026-oidc.ts'
import { verifiedAddresses } from './migrations/0027-verified-addresses.ts'
import { pageReads } from './migrations/0028-page-reads.ts'
import { activity } from './migrations/0029-activity.ts'
import { digests } from './migrations/0030-digests.ts'
import { inbox } from './migrations/0031-inbox.ts'
import { productFeeds } from './migrations/0032-product-feeds.ts'
import { attachments } from './migrations/0033-attachments.ts'
import { knownPasswords } from './migrations/0034-known-passwords.ts'
import { inboxIndexes } from './migrations/0035-inbox-indexes.ts'
import { memberAvatars } from './migrations/0036-member-avatars.ts'
import { productPrices } from './migrations/0037-product-prices.ts'

const migrations = [
  ...[foundation, webhooks, languageModel, products, crawls, files, productAnswers, widget, accounts],
  ...[productSnapshots, insights, documentSizes, oneOfEach, fewerDeliveryIndexes, indexesOfWhatEnded],
  ...[writtenQuestions, parserVersion, access, instanceValues, modelCallDays, notifications, decisions, firstHour],
  ...[visitorMails, lists, oidc, verifiedAddresses, pageReads, activity, digests, inbox, productFeeds, attachments],
  ...[knownPasswords, inboxIndexes, memberAvatars, productPrices],
]

export const SCHEMA_VERSION = migrations.length

export async function migrate(database: Database, dialect: Dialect, now: number): Promise<void> {
  await database.transaction((tx) => applyMigrations(tx, dialect, now))
}

/** `upTo`: an earlier schema, to read data of that version. */
export async function applyMigrations(tx: Queries, dialect: Dialect, now: number, upTo = SCHEMA_VERSION) {
  for (const statement of dialect.first) await tx.query(statement)
  await tx.query(
    'CREATE TABLE IF NOT EXISTS schema_migrations (version INTEGER PRIMARY KEY, applied_at BIGINT NOT NULL)',
  )
  const current = await schemaVersionOf(tx)
  if (current > SCHEMA_VERSION)
    throw new Error(`The database has schema ${current}, this version knows ${SCHEMA_VERSION}. Start a newer version.`)
  for (const [index, statements] of migrations.slice(0, upTo).entries()) {
    if (index < current) continue
    for (const statement of statements) await tx.query(fill(statement, dialect))
    await tx.query('INSERT INTO schema_migrations (version, applied_at) VALUES ($1, $2)', [index + 1, now])
  }
}

/** Requires the migrations table. */
export async function schemaVersionOf(queries: Queries): Promise<number> {
  const [row] = await queries.query<{ version: number }>(
    'SELECT coalesce(max(version), 0) AS version FROM schema_migrations',
  )
  return Number(row?.version ?? 0)
}

function fill(statement: string, dialect: Dialect): string {
  return statement
    .replaceAll('{clustered}', dialect.clustered)
    .replaceAll('{blob}', dialect.blob)
    .replaceAll('{binary}', dialect.binary)
    .replace(/\{number (\w+)\}/g, (_match, field) => dialect.numberInBody(field))
}
