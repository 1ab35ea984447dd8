import { Fault, PASSWORD_MIN_LENGTH } from '@docent/contract'
import { COMMON_PASSWORDS } from './common-passwords.ts'

// Password hashing with Argon2id. The library loads on first use, so that a server without log-ins does without it.
// 2 is Argon2id; the library exports its name only as a type.
const ALGORITHM = { algorithm: 2, parallelism: 1 } as const
const COST: PasswordCost = { memoryCost: 19_456, timeCost: 2 }

export interface PasswordCost {
  /** In KiB. */
  memoryCost: number
  timeCost: number
}

export interface Passwords {
  hash(password: string): Promise<string>
  /** Takes as long without a hash, so that timing does not reveal whether the account exists. */
  verify(hash: string | undefined, password: string): Promise<boolean>
}

/** `onCheck` is called for every check, including unknown accounts. */
export function openPasswords(onCheck: (isRight: boolean) => void, cost = COST): Passwords {
  let dummyHash: Promise<string> | undefined

  async function hash(password: string) {
    const argon2 = await import('@node-rs/argon2')
    return argon2.hash(normalise(password), { ...ALGORITHM, ...cost })
  }

  return {
    hash,
    async verify(passwordHash, password) {
      dummyHash ??= hash('nobody has this password')
      const { verify } = await import('@node-rs/argon2')
      const matches = await verify(passwordHash ?? (await dummyHash), normalise(password))
      const isRight = passwordHash !== undefined && matches
      onCheck(isRight)
      return isRight
    },
  }
}

/** Keyboards may encode the same password differently. */
function normalise(password: string): string {
  return password.normalize('NFKC')
}

/** `path`: the request field of the new password. */
export function requireStrongPassword(password: string, email: string, path: string) {
  const message = weakness(password.toLowerCase(), email)
  if (message) throw new Fault('validation_failed', { details: [{ path, message }] })
}

function weakness(password: string, email: string): string | null {
  if ([...password].length < PASSWORD_MIN_LENGTH) return `Use at least ${PASSWORD_MIN_LENGTH} characters.`
  if (password === email || password === email.split('@')[0]) return 'Do not use your email address as your password.'
  const isOneCharacter = new Set(password).size === 1
  return isOneCharacter || COMMON_PASSWORDS.has(password) ? 'This password is too common. Choose another one.' : null
}
