// The key that secrets of others are sealed with. Its fingerprint is stored with them, so that a start with another key,
// after a restore perhaps, is refused instead of leaving webhooks, second factors and models without their secrets.
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { fingerprintOf } from '../sealed-text.ts'
import { keptSecret, readSecretFile } from '../secret-file.ts'
import type { InstanceValuesTable } from '../storage/instance-values.ts'

const NAME = 'secret_key_fingerprint'

export async function openSecretKey(
  { secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>,
  instanceValues: InstanceValuesTable,
): Promise<string> {
  const path = join(dataDir, 'secret-key')
  const source = secretKey ? 'SECRET_KEY' : path
  const known = await instanceValues.find(NAME)
  const key = secretKey ?? (known === null ? keptSecret(path) : readSecretFile(path))
  if (!key) throw new Error(`The secret key of this database is missing: ${path} is not there. ${ADVICE}`)
  const own = fingerprintOf(key)
  if ((known ?? (await instanceValues.findOrInsert(NAME, own))) === own) return key
  throw new Error(`The secret key in ${source} is not the one that this database was used with. ${ADVICE}`)
}

const ADVICE =
  'Set SECRET_KEY, or put back the file, as it was when the database was in use or was backed up. ' +
  'If that key is lost, "The secret key" in docs/guides/running.md tells what to do.'
