import type { Alert } from '../access/accounts/alert.ts'
import type { Audit } from '../access/audit.ts'
import type { ChatKeys } from '../access/chat-keys.ts'
import type { FindMember, FindWorkspace } from '../access/managers.ts'
import type { ManagementTokensTable } from '../storage/management-tokens.ts'
import type { MembersTable } from '../storage/members.ts'
import type { WorkspacesTable } from '../storage/workspaces.ts'

/** Dependencies shared by all operations on workspaces, members and tokens. */
export interface WorkspaceDeps {
  workspaces: WorkspacesTable
  members: MembersTable
  managementTokens: ManagementTokensTable
  findWorkspace: FindWorkspace
  findMember: FindMember
  audit: Audit
  alert: Alert
  chatKeys: ChatKeys
  clock: () => number
}

export interface MemberIds {
  workspaceId: string
  memberId: string
}
