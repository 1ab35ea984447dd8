// Passwords as Argon2id hashes. The library is loaded by the first one, so that a server nobody logs in to goes without.
// The algorithm is Argon2id; the library's own name for it exists in its types only.
const ALGORITHM = { algorithm: 2, parallelism: 1 } as const
const COST: PasswordCost = { memoryCost: 19_456, timeCost: 2 }

export interface PasswordCost {
  /** In KiB. */
  memoryCost: number
  timeCost: number
}

export interface Passwords {
  hash(password: string): Promise<string>
  /** Costs the same without a hash, so that the time does not tell whether there is an account. */
  verify(hash: string | undefined, password: string): Promise<boolean>
}

/** `onCheck` is called for every check, also for unknown accounts. */
export function createPasswords(onCheck: (isRight: boolean) => void, cost = COST): Passwords {
  let nobodys: Promise<string> | undefined

  async function hash(password: string) {
    const argon2 = await import('@node-rs/argon2')
    return argon2.hash(normal(password), { ...ALGORITHM, ...cost })
  }

  return {
    hash,
    async verify(known, password) {
      nobodys ??= hash('nobody has this password')
      const { verify } = await import('@node-rs/argon2')
      const matches = await verify(known ?? (await nobodys), normal(password))
      const isRight = known !== undefined && matches
      onCheck(isRight)
      return isRight
    },
  }
}

/** The same password typed on another keyboard may come as other characters. */
function normal(password: string): string {
  return password.normalize('NFKC')
}
