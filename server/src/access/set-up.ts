// Creates the instance owner's account with the one-time link printed at start while there is none.
import { Fault } from '@docent/contract'
import type { Context } from '../context.ts'
import { randomId } from '../ids.ts'
import { StorageError } from '../storage/database.ts'
import { INSTANCE_WORKSPACE_ID } from '../storage/workspaces.ts'
import { type Passwords, requireStrongPassword } from './passwords.ts'
import { hashSecret, makeLinkToken } from './secrets.ts'
import type { ClientDetails, Sessions, StartedSession } from './sessions.ts'

const LINK_MS = 24 * 3_600_000

interface Neighbours {
  passwords: Passwords
  sessions: Pick<Sessions, 'start'>
}

interface SetUpInput {
  token: string
  email: string
  name: string
  password: string
}

export function openSetUp({ storage, clock }: Context, { passwords, sessions }: Neighbours) {
  const { accounts, linkTokens } = storage
  const isNeeded = async () => !(await accounts.hasInstanceOwner())
  return {
    isNeeded,

    /** For the link printed at start; null when there already is an owner. */
    async makeToken(): Promise<string | null> {
      if (!(await isNeeded())) return null
      const { token, hash } = makeLinkToken()
      await linkTokens.insertSetUp(hash, clock() + LINK_MS)
      return token
    },

    async run(input: SetUpInput, client: ClientDetails): Promise<StartedSession> {
      const hash = hashSecret(input.token)
      // Check the link first: hashing a password is expensive.
      if (!(await linkTokens.isSetUp(hash, clock()))) throw new Fault('invalid_link')
      const email = input.email.toLowerCase()
      requireStrongPassword(input.password, email, 'password')
      const account = {
        id: randomId('acc'),
        email,
        name: input.name.trim(),
        passwordHash: await passwords.hash(input.password),
        createdAt: clock(),
      }
      const membership = { workspaceId: INSTANCE_WORKSPACE_ID, memberId: randomId('mem'), role: 'owner' as const }
      const isDone = await accounts.setUp(hash, account, membership).catch((error) => {
        if (error instanceof StorageError && error.kind === 'unique') throw new Fault('already_exists')
        throw error
      })
      if (!isDone) throw new Fault('invalid_link')
      return sessions.start(account.id, INSTANCE_WORKSPACE_ID, client)
    },
  }
}
