// Resets the password of somebody locked out; for operators with access to the machine.
import { Fault } from '@docent/contract'
import { openPasswords, requireStrongPassword } from '../access/passwords.ts'
import { openStorage } from '../storage/storage.ts'
import type { InstanceLocation } from './backups.ts'

interface Options {
  /** Null for the instance owner. */
  email: string | null
  password: string
  endsSecondFactor: boolean
  now: number
}

export async function setPassword(location: InstanceLocation, { email, password, endsSecondFactor, now }: Options) {
  const storage = await openStorage({ ...location, databasePoolSize: 1 }, now)
  try {
    const { accounts, secondFactors } = storage
    const account =
      email === null ? await accounts.findInstanceOwner() : await accounts.findByEmail(email.toLowerCase())
    if (!account)
      throw new Error(email === null ? 'There is no instance owner yet.' : `No account has the address ${email}.`)
    try {
      requireStrongPassword(password, account.email, 'password')
    } catch (error) {
      throw error instanceof Fault ? new Error(`The password is not valid. ${error.details?.[0]?.message}`) : error
    }
    await accounts.changePassword(account.id, await openPasswords(() => {}).hash(password), '')
    if (endsSecondFactor) await secondFactors.end(account.id, 'end sessions')
    return { email: account.email, hasSecondFactor: account.secondFactor !== null && !endsSecondFactor }
  } finally {
    await storage.close()
  }
}
