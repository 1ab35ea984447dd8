import type { Audit } from '../audit.ts'
import type { ClientDetails, Sessions, StartedSession } from '../sessions/sessions.ts'
import type { CheckCredentials, Credentials } from './check-credentials.ts'
import type { OwnWorkspaces } from './own-workspaces.ts'

interface Deps {
  checkCredentials: CheckCredentials
  ownWorkspaces: Pick<OwnWorkspaces, 'first'>
  sessions: Pick<Sessions, 'start'>
  audit: Audit
}

export type LogIn = (credentials: Credentials, client: ClientDetails) => Promise<StartedSession>

export function createLogIn({ checkCredentials, ownWorkspaces, sessions, audit }: Deps): LogIn {
  return async (credentials, client) => {
    const email = credentials.email.trim().toLowerCase()
    const account = await checkCredentials({ ...credentials, email }, client)
    const started = await sessions.start(account.id, await ownWorkspaces.first(account), client)
    await audit.recordForAccount(account, client.ip, 'login.succeeded')
    return started
  }
}
