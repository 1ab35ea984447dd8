// The key that seals stored secrets. Its fingerprint is in the database, so that starting with another key, for example
// after a restore, is refused instead of leaving webhooks, second factors and models without their secrets.
import { join } from 'node:path'
import { secondFactorBinding } from '../access/second-factor.ts'
import type { Config } from '../config.ts'
import { modelKeyBinding } from '../conversations/open-language-models.ts'
import { readOrCreateSecret, readSecretFile } from '../private-file.ts'
import { fingerprintOf, makeSealedText } from '../sealed-text.ts'
import { SECRET_KEY_FINGERPRINT } from '../storage/instance.ts'
import type { Storage } from '../storage/storage.ts'
import { webhookSecretBinding } from '../webhooks/signing.ts'

// Set by an operator who has lost the old key.
const LOST = 'lost'

export async function openSecretKey(
  { secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>,
  { instanceValues }: Pick<Storage, 'instanceValues'>,
): Promise<string> {
  const path = join(dataDir, 'secret-key')
  const source = secretKey ? 'SECRET_KEY' : path
  const storedFingerprint = await instanceValues.find(SECRET_KEY_FINGERPRINT)
  if (storedFingerprint === LOST) {
    const fresh = secretKey ?? readOrCreateSecret(path)
    await instanceValues.set(SECRET_KEY_FINGERPRINT, fingerprintOf(fresh))
    return fresh
  }
  // A database of an earlier version has no fingerprint but may hold sealed secrets.
  const sealedSecret = storedFingerprint === null ? await instanceValues.findSealed() : null
  const key =
    secretKey ?? (storedFingerprint === null && !sealedSecret ? readOrCreateSecret(path) : readSecretFile(path))
  if (!key) throw new Error(`The secret key of this database is missing: ${path} does not exist. ${ADVICE}`)
  const fingerprint = fingerprintOf(key)
  const isRight =
    !sealedSecret ||
    makeSealedText(key).open(sealedSecret.sealed, bindings[sealedSecret.kind](sealedSecret.id)) !== null
  if (
    isRight &&
    (storedFingerprint ?? (await instanceValues.findOrInsert(SECRET_KEY_FINGERPRINT, fingerprint))) === fingerprint
  )
    return key
  throw new Error(`The secret key in ${source} is not the one that this database was used with. ${ADVICE}`)
}

const bindings = {
  webhook: webhookSecretBinding,
  second_factor: secondFactorBinding,
  language_model: modelKeyBinding,
}

const ADVICE =
  'Set SECRET_KEY, or put back the file, as it was when the database was in use or was backed up. ' +
  'If that key is lost, "The secret key" in docs/guides/running.md tells what to do.'
