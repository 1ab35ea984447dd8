// An owner who is removed or demoted keeps no way in: what they made for others ends with their rights.
import { describe, expect, test } from 'vitest'
import { type Engine, engines } from '../harness/database/databases.ts'
import { runStatement } from '../harness/database/rows.ts'
import {
  createWorkspace,
  invite,
  joinWorkspace,
  MANAGE,
  PASSWORD,
  setUpOwner,
  tokenFromLink,
} from '../harness/people.ts'
import { ADMIN_TOKEN, startServer } from '../harness/start-server.ts'

const MEMBERS = `${MANAGE}/workspaces/{workspaceId}/members`
const INVITATIONS = `${MANAGE}/workspaces/{workspaceId}/invitations`

async function withTwoOwners(engine: Engine) {
  const server = await startServer(engine)
  const { call } = server
  const workspaceId = await createWorkspace(call)
  const remainingOwner = await joinWorkspace(call, workspaceId, 'owner', 'stays@example.test')
  const removedOwner = await joinWorkspace(call, workspaceId, 'owner', 'leaves@example.test')
  const agent = await joinWorkspace(call, workspaceId, 'agent', 'agent@example.test')
  const { body } = await remainingOwner.call(`GET ${MEMBERS}`, { params: { workspaceId } })
  const paramsOf = ({ email }: { email: string }) => ({
    workspaceId,
    memberId: body.items.find((one: { email: string }) => one.email === email).id as string,
  })
  const audit = async () =>
    (await remainingOwner.call(`GET ${MANAGE}/workspaces/{workspaceId}/audit`, { params: { workspaceId } })).body
      .items as {
      action: string
      actor: string
      target: string
    }[]
  return { ...server, workspaceId, remainingOwner, removedOwner, agent, paramsOf, audit }
}

describe.each(engines)('on %s', (engine) => {
  test.each(['removed', 'demoted', 'removed by an earlier version'] as const)(
    'what an owner who was %s had made for others stops working',
    async (way) => {
      const { call, database, workspaceId, remainingOwner, removedOwner, agent, paramsOf, audit } =
        await withTwoOwners(engine)
      const ownerInvitation = await invite(removedOwner.call, workspaceId, 'accomplice@example.test', 'owner', {
        token: undefined,
      })
      const invitation = await invite(remainingOwner.call, workspaceId, 'welcome@example.test', 'editor', {
        token: undefined,
      })
      const reset = await removedOwner.call(`POST ${MEMBERS}/{memberId}/reset-link`, { params: paramsOf(agent) })
      const tokenResponse = await call(`POST ${MEMBERS}/{memberId}/tokens`, {
        token: ADMIN_TOKEN,
        params: paramsOf(agent),
        body: { name: 'planted' },
      })
      // As somebody could before people made tokens for themselves only.
      await runStatement(
        database,
        `UPDATE management_tokens SET created_by = '${paramsOf(removedOwner).memberId}' WHERE id = '${tokenResponse.body.id}'`,
      )
      expect((await call(`GET ${MANAGE}/bots`, { token: tokenResponse.body.token })).status).toBe(200)

      const params = paramsOf(removedOwner)
      if (way === 'removed')
        expect((await remainingOwner.call(`DELETE ${MEMBERS}/{memberId}`, { params })).status).toBe(204)
      else if (way === 'demoted')
        expect(
          (await remainingOwner.call(`PATCH ${MEMBERS}/{memberId}`, { params, body: { role: 'agent' } })).status,
        ).toBe(200)
      else await runStatement(database, `DELETE FROM members WHERE id = '${params.memberId}'`)

      const accept = (token: string) =>
        call(`POST ${MANAGE}/invitations/accept`, { body: { token, name: 'Somebody', password: PASSWORD } })
      expect((await accept(ownerInvitation.token)).body.error?.code).toBe('invalid_link')
      const resetBody = { token: tokenFromLink(reset.body.link), password: 'CANARY another giraffe 7' }
      expect((await call(`POST ${MANAGE}/password-reset`, { body: resetBody })).body.error?.code).toBe('invalid_link')
      expect((await call(`GET ${MANAGE}/bots`, { token: tokenResponse.body.token })).status).toBe(401)
      // What others made goes on working.
      expect((await accept(invitation.token)).status).toBe(200)
      expect((await agent.call(`GET ${MANAGE}/session`)).status).toBe(200)
      if (way === 'removed by an earlier version') return
      expect(await audit()).toContainEqual(
        expect.objectContaining({
          action: way === 'removed' ? 'member.removed' : 'member.changed',
          target: expect.stringContaining('ended what they made: 1 token, 1 invitation, 1 reset link'),
        }),
      )
    },
  )

  test('people make management tokens for themselves only, and ADMIN_TOKEN for anybody', async () => {
    const { call, setUpToken, remainingOwner, removedOwner, agent, paramsOf } = await withTwoOwners(engine)
    const body = { name: 'deploy' }
    const make = (person: typeof remainingOwner, of: { email: string }) =>
      person.call(`POST ${MEMBERS}/{memberId}/tokens`, { params: paramsOf(of), body })
    for (const otherMember of [removedOwner, agent])
      expect((await make(remainingOwner, otherMember)).body.error.code).toBe('role_required')
    expect((await make(remainingOwner, remainingOwner)).status).toBe(201)
    const instanceOwner = await setUpOwner({ call, setUpToken })
    expect((await make(instanceOwner as never, agent)).body.error.code).toBe('role_required')
    const service = await call(`POST ${MEMBERS}/{memberId}/tokens`, {
      token: ADMIN_TOKEN,
      params: paramsOf(agent),
      body,
    })
    expect(service.status).toBe(201)
  })

  test('the audit log names who made a token or a reset link, not only in whose name it was used', async () => {
    const { call, database, workspaceId, remainingOwner, removedOwner, agent, paramsOf, audit } =
      await withTwoOwners(engine)
    const tokenResponse = await call(`POST ${MEMBERS}/{memberId}/tokens`, {
      token: ADMIN_TOKEN,
      params: paramsOf(remainingOwner),
      body: { name: 'planted' },
    })
    await runStatement(
      database,
      `UPDATE management_tokens SET created_by = '${paramsOf(removedOwner).memberId}' WHERE id = '${tokenResponse.body.id}'`,
    )
    const body = { email: 'guest@example.test', role: 'viewer' }
    await call(`POST ${INVITATIONS}`, { token: tokenResponse.body.token, params: { workspaceId }, body })
    const reset = await removedOwner.call(`POST ${MEMBERS}/{memberId}/reset-link`, { params: paramsOf(agent) })
    const resetBody = { token: tokenFromLink(reset.body.link), password: 'CANARY another giraffe 7' }
    expect((await call(`POST ${MANAGE}/password-reset`, { body: resetBody })).status).toBe(204)
    const entries = await audit()
    expect(
      entries.find(({ action, target }) => action === 'member.invited' && target.startsWith('guest')),
    ).toMatchObject({
      actor: 'leaves@example.test (token planted of stays@example.test)',
    })
    expect(entries.find(({ action }) => action === 'password.reset')).toMatchObject({
      actor: 'agent@example.test',
      target: 'with a link of leaves@example.test',
    })
  })
})
