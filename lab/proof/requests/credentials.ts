// Ways into accounts and workspaces, made at random by somebody who then loses their rights, or who prepared an account for
// somebody else, or whose provider names an address that only looks like somebody else's: none of them works afterwards.

import type { Role } from '@docent/contract'
import { runStatement } from '../../../server/test/harness/database/rows.ts'
import { mailLink, startMailServer } from '../../../server/test/harness/external/mail-server.ts'
import {
  authenticatorCode,
  createWorkspace,
  invite,
  joinWorkspace,
  logIn,
  MANAGE,
  PASSWORD,
  tokenFromLink,
} from '../../../server/test/harness/people.ts'
import { fromOurPage, startWithSingleSignOn } from '../../../server/test/harness/single-sign-on.ts'
import { ADMIN_TOKEN } from '../../../server/test/harness/start-server.ts'
import { waitFor } from '../../../server/test/harness/wait.ts'
import type { PartOptions, PartResult } from '../part.ts'
import { makeRandom, type Random } from './random.ts'

const MEMBERS = `${MANAGE}/workspaces/{workspaceId}/members`
const INVITATIONS = `${MANAGE}/workspaces/{workspaceId}/invitations`
const NEW_PASSWORD = 'CANARY another giraffe 7'
const HOUR_MS = 3_600_000

type World = Awaited<ReturnType<typeof startWorld>>
/** A way in, and whether it works. */
type Way = [name: string, works: () => Promise<boolean>]

export async function keepCredentials({ engine, seed, times }: PartOptions): Promise<PartResult> {
  const random = makeRandom(seed)
  const world = await startWorld(engine)
  const problems: string[] = []
  let attempts = 0
  for (let n = 0; n < times; n++)
    for (const [who, make] of [
      ['removed owner', removedOwner],
      ['prepared account', preparedAccount],
      ['lookalike address', lookalikeAddress],
    ] as const) {
      // Attempts are limited by time.
      world.clock.now += HOUR_MS
      for (const [way, works] of await make(world, random, `${who[0]}${n}`)) {
        attempts++
        if (await works()) problems.push(`${who}, round ${n}: ${way} still works`)
      }
    }
  return { counts: { rounds: times, 'ways in tried': attempts }, problems }
}

async function startWorld(engine: PartOptions['engine']) {
  const mail = await startMailServer()
  const environment = { SMTP_URL: mail.url, MAIL_FROM: 'docent@example.com', OIDC_DEFAULT_ROLE: 'viewer' }
  return { mail, ...(await startWithSingleSignOn(engine, { ...environment, LOG_LEVEL: 'error' })) }
}

async function removedOwner({ call }: World, random: Random, round: string): Promise<Way[]> {
  const workspaceId = await createWorkspace(call, round)
  const join = (name: string, role: Role) => joinWorkspace(call, workspaceId, role, `${name}-${round}@example.test`)
  const [stays, leaves, agent] = [
    await join('stays', 'owner'),
    await join('leaves', 'owner'),
    await join('agent', 'agent'),
  ]
  const { body } = await stays.call(`GET ${MEMBERS}`, { params: { workspaceId } })
  const paramsOf = ({ email }: { email: string }) => ({
    workspaceId,
    memberId: body.items.find((one: { email: string }) => one.email === email).id as string,
  })
  const inviting = (token?: string) => ({
    token,
    params: { workspaceId },
    body: { email: 'x@example.test', role: 'viewer' },
  })
  const ways: Way[] = [['the session', async () => (await leaves.call(`POST ${INVITATIONS}`, inviting())).status < 300]]
  let ownToken: string | undefined
  const actions = {
    async invite() {
      const email = `friend${random.below(3)}-${round}@example.test`
      const role = random.pick(['viewer', 'agent', 'editor'] as const)
      const options = { token: ownToken && random.chance(0.5) ? ownToken : undefined }
      const { token } = await invite(options.token ? call : leaves.call, workspaceId, email, role, options)
      const body = { token, name: 'Friend', password: PASSWORD }
      ways.push(['an invitation', async () => (await call(`POST ${MANAGE}/invitations/accept`, { body })).status < 300])
    },
    async reset() {
      const response = await leaves.call(`POST ${MEMBERS}/{memberId}/reset-link`, { params: paramsOf(agent) })
      const body = { token: tokenFromLink(response.body.link), password: NEW_PASSWORD }
      ways.push(['a reset link', async () => (await call(`POST ${MANAGE}/password-reset`, { body })).status < 300])
    },
    async token() {
      const request = { params: paramsOf(leaves), body: { name: 'own' } }
      ownToken = (await leaves.call(`POST ${MEMBERS}/{memberId}/tokens`, request)).body.token as string
      const token = ownToken
      ways.push(['a token', async () => (await call(`POST ${INVITATIONS}`, inviting(token))).status < 300])
    },
    async othersToken() {
      const params = paramsOf(random.pick([stays, agent]))
      const response = await leaves.call(`POST ${MEMBERS}/{memberId}/tokens`, { params, body: { name: 'planted' } })
      ways.push(['a token of a colleague', async () => response.status < 300])
    },
  }
  for (let n = 3 + random.below(5); n > 0; n--)
    await actions[random.pick(Object.keys(actions)) as keyof typeof actions]()
  const params = paramsOf(leaves)
  if (random.chance(0.5)) await stays.call(`DELETE ${MEMBERS}/{memberId}`, { params })
  else await stays.call(`PATCH ${MEMBERS}/{memberId}`, { params, body: { role: random.pick(['viewer', 'editor']) } })
  return ways
}

/** Characters that stand for a letter, or become it in lower case. */
const LOOKALIKES: [letter: string, others: string][] = [
  ['k', '\u212aＫｋ𝐤ⓚ'],
  ['s', '\u017fＳｓ𝓈ˢ'],
  ['i', '\u0130ｉℹⁱⅰ'],
  ['fi', 'ﬁ'],
  ['a', 'ａª𝒂'],
  ['.', '．'],
  ['1', '１①¹'],
]

async function lookalikeAddress({ call, logIn: withSso }: World, random: Random, round: string): Promise<Way[]> {
  const email = `kisfi-1-${round}@task.test`
  const workspaceId = await createWorkspace(call, round)
  const isInvited = random.chance(0.5)
  if (isInvited) await invite(call, workspaceId, email, 'owner')
  else await joinWorkspace(call, workspaceId, 'owner', email)
  // The first is the one that lower case alone makes a letter.
  let lookalike = email.replace('k', '\u212a')
  if (random.chance(0.5)) {
    const [letter, others] = random.pick(LOOKALIKES)
    lookalike = email.replace(letter, random.pick([...others]))
  }
  const claimedEmail = random.chance(0.3) ? lookalike.replace(/[a-z]/g, (letter) => letter.toUpperCase()) : lookalike
  const eve = { sub: `eve-${round}`, email: claimedEmail, email_verified: true, name: 'Eve' }
  return [
    [
      `the address ${JSON.stringify(claimedEmail)}`,
      async () => {
        const { session } = await withSso(eve)
        return (
          session?.account?.email === email ||
          Boolean(session?.workspaces?.some(({ id }: { id: string }) => id === workspaceId))
        )
      },
    ],
  ]
}

async function preparedAccount(world: World, random: Random, round: string): Promise<Way[]> {
  const { call, clock, database, mail, logIn: withSso } = world
  const mallory = {
    sub: `mallory-${round}`,
    email: `mallory-${round}@shop.test`,
    email_verified: true,
    name: 'Mallory',
  }
  const victim = { sub: `victim-${round}`, email: `victim-${round}@bank.test`, email_verified: true, name: 'Victim' }
  const { cookie, session } = await withSso(mallory, '?confirm=1')
  const headers = fromOurPage(cookie)
  if (random.chance(0.5)) {
    const enrolment = await call(`POST ${MANAGE}/account/two-factor`, { headers })
    const code = authenticatorCode(enrolment.body.secret, clock.now)
    await call(`POST ${MANAGE}/account/two-factor/confirm`, { headers, body: { code } })
  }
  await call(`PATCH ${MANAGE}/account`, { headers, body: { email: victim.email } })
  // As a node of an earlier version did without proof.
  const isPrepared = random.chance(0.7)
  if (isPrepared)
    for (const [table, id] of [
      ['accounts', 'id'],
      ['members', 'account_id'],
    ])
      await runStatement(
        database,
        `UPDATE ${table} SET email = '${victim.email}' WHERE ${id} = '${session.account.id}'`,
      )

  const workspaceId = await createWorkspace(call, round)
  const { token } = await invite(call, workspaceId, victim.email, 'owner')
  if (random.chance(0.5)) await withSso(victim)
  else {
    if (isPrepared) {
      await call(`POST ${MANAGE}/password-reset/request`, { body: { email: victim.email } })
      const links = () => mail.mails.filter(({ to }) => to.includes(victim.email)).map(mailLink)
      await waitFor(() => links().some((link) => link.includes('/reset#')), 'the reset link')
      const link = links().findLast((each) => each.includes('/reset#')) ?? ''
      await call(`POST ${MANAGE}/password-reset`, { body: { token: tokenFromLink(link), password: NEW_PASSWORD } })
    }
    const password = isPrepared ? NEW_PASSWORD : PASSWORD
    await call(`POST ${MANAGE}/invitations/accept`, { body: { token, name: 'Victim', password } })
  }
  const { body } = await call(`GET ${MEMBERS}`, { token: ADMIN_TOKEN, params: { workspaceId } })
  if (body.items[0]?.has_account !== true) return [['the victim’s own log-in, which failed,', async () => true]]

  const opens = (answer: { workspaces?: { id: string }[] } | undefined) =>
    answer?.workspaces?.some(({ id }) => id === workspaceId) ?? false
  return [
    ['the old session', async () => opens((await call(`GET ${MANAGE}/session`, { headers: { cookie } })).body)],
    ['single sign-on', async () => opens((await withSso(mallory)).session)],
    ['a guessed password', async () => opens((await logIn(call, victim.email, 'CANARY of mallory 1')).body)],
  ]
}
