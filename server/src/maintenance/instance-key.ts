// An instance's secret key: which one is configured, and whether a database was sealed with it.
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { fingerprintOf } from '../sealed-text.ts'
import { readSecretFile } from '../secret-file.ts'
import type { Queries } from '../storage/database.ts'
import { readInstanceValue, SECRET_KEY_FINGERPRINT } from '../storage/instance.ts'

export type InstanceLocation = Pick<Config, 'dataDir' | 'databaseUrl' | 'secretKey'>

export function configuredKey({ secretKey, dataDir }: InstanceLocation): string | null {
  return secretKey ?? readSecretFile(join(dataDir, 'secret-key'))
}

/** `whose`: where the key comes from, in the user's terms. */
export async function requireKeyOf(database: Queries, key: string | null, whose: string) {
  const fingerprint = await fingerprintIn(database)
  if (fingerprint === null) return
  if (key === null) throw new Error(`The secret key of this database is missing: set SECRET_KEY (${whose} has none).`)
  if (fingerprintOf(key) !== fingerprint)
    throw new Error(`The secret key in ${whose} does not match the database. Nothing was changed.`)
}

/** Null when there is none yet, or when an operator has discarded the old key. */
async function fingerprintIn(database: Queries): Promise<string | null> {
  const value = await readInstanceValue(database, SECRET_KEY_FINGERPRINT)
  return value === 'lost' ? null : value
}
