// The secret key of an instance: which one is configured, and whether it is the one that a database was sealed with.
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { fingerprintOf } from '../sealed-text.ts'
import { readSecretFile } from '../secret-file.ts'
import type { Queries } from '../storage/database.ts'
import { instanceValueOf, SECRET_KEY_FINGERPRINT } from '../storage/instance-values.ts'

export type InstancePlace = Pick<Config, 'dataDir' | 'databaseUrl' | 'secretKey'>

export function configuredKey({ secretKey, dataDir }: InstancePlace): string | null {
  return secretKey ?? readSecretFile(join(dataDir, 'secret-key'))
}

/** `whose`: where the key comes from, as the person who gave it calls it. */
export async function requireKeyOf(database: Queries, key: string | null, whose: string, schema: number) {
  const fingerprint = await fingerprintIn(database, schema)
  if (fingerprint === null) return
  if (key === null) throw new Error(`The secret key of this database is missing: set SECRET_KEY (${whose} has none).`)
  if (fingerprintOf(key) !== fingerprint)
    throw new Error(`The secret key in ${whose} is not the one that the database was used with. Nothing was changed.`)
}

/** Null where there is none yet, or where an operator has given the old key up. */
async function fingerprintIn(database: Queries, schema: number): Promise<string | null> {
  // The table came with this version of the schema.
  if (schema < 19) return null
  const value = await instanceValueOf(database, SECRET_KEY_FINGERPRINT)
  return value === 'lost' ? null : value
}
