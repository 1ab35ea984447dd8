// A person's workspaces: those they joined, or all for the instance owner.
import type { Membership, MembersTable } from '../../storage/members.ts'
import type { WorkspacesTable } from '../../storage/workspaces.ts'

const SHOWN = 200

interface Person {
  id: string
  instanceOwner: boolean
}

interface Deps {
  members: Pick<MembersTable, 'listOfAccount'>
  workspaces: Pick<WorkspacesTable, 'find' | 'list'>
  instanceWorkspaceId: string
}

export type OwnWorkspaces = ReturnType<typeof createOwnWorkspaces>

export function createOwnWorkspaces({ members, workspaces, instanceWorkspaceId }: Deps) {
  async function find(person: Person, workspaceId: string): Promise<Membership | undefined> {
    if (!person.instanceOwner) return (await members.listOfAccount(person.id)).find(({ id }) => id === workspaceId)
    const workspace = await workspaces.find(workspaceId)
    return workspace && { ...workspace, role: 'owner' }
  }

  return {
    find,

    /** For the instance owner only the current and the first, since there may be very many. */
    async list(person: Person, currentId: string | null): Promise<Membership[]> {
      if (!person.instanceOwner) return members.listOfAccount(person.id)
      const all = await workspaces.list('', SHOWN)
      const missing = currentId !== null && !all.some(({ id }) => id === currentId)
      const current = missing ? await workspaces.find(currentId) : undefined
      return [...(current ? [current] : []), ...all].map((workspace) => ({ ...workspace, role: 'owner' }))
    },

    /** The workspace to open after log-in; null: none. */
    async first(person: Person): Promise<string | null> {
      if (person.instanceOwner) return instanceWorkspaceId
      const [first] = await members.listOfAccount(person.id)
      return first?.id ?? null
    },
  }
}
