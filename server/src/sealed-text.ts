// Encrypts third-party secrets that we must use again (a provider's key, a webhook's secret) before they are stored:
// AES-256-GCM with a key outside the database. Each is bound to its row by name, so a copy in another row is useless.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const VERSION = 'v1'
const IV_BYTES = 12
const TAG_BYTES = 16

export interface SealedText {
  seal(text: string, binding: string): string
  /** Null when it was sealed with another key or for another binding, or was modified. */
  open(sealedText: string, binding: string): string | null
}

/** Tells keys apart without revealing them. */
export function fingerprintOf(secret: string): string {
  return Buffer.from(hkdfSync('sha256', secret, '', 'docent key fingerprint', 16)).toString('hex')
}

export function makeSealedText(secret: string): SealedText {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'docent sealed text', 32))

  return {
    seal(text, binding) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(binding))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${VERSION}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`
    },

    open(sealedText, binding) {
      const [version, data = ''] = sealedText.split('.')
      const bytes = Buffer.from(data, 'base64url')
      if (version !== VERSION || bytes.length < IV_BYTES + TAG_BYTES) return null
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(Buffer.from(binding)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      try {
        return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      } catch {
        return null
      }
    },
  }
}
