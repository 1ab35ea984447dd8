import type { Audit } from '../audit.ts'
import type { Sessions, Started, Visitor } from '../sessions/sessions.ts'
import type { CheckCredentials, Credentials } from './check-credentials.ts'
import type { OwnWorkspaces } from './own-workspaces.ts'

interface Deps {
  checkCredentials: CheckCredentials
  ownWorkspaces: Pick<OwnWorkspaces, 'first'>
  sessions: Pick<Sessions, 'start'>
  audit: Audit
}

export type LogIn = (credentials: Credentials, visitor: Visitor) => Promise<Started>

export function createLogIn({ checkCredentials, ownWorkspaces, sessions, audit }: Deps): LogIn {
  return async (credentials, visitor) => {
    const email = credentials.email.trim().toLowerCase()
    const account = await checkCredentials({ ...credentials, email }, visitor)
    const started = await sessions.start(account.id, await ownWorkspaces.first(account), visitor)
    await audit.recordForAccount(account, visitor.ip, 'login.succeeded')
    return started
  }
}
