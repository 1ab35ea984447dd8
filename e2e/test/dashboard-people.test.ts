// How people come in and what they then see: invitations, links, the second factor, roles.
import { expect, onTestFinished, test } from 'vitest'
import { mailText, type ReceivedMail, startMailServer } from '../../server/test/harness/external/mail-server.ts'
import {
  authenticatorCode,
  openBrowser as client,
  invite,
  joinWorkspace,
  MANAGE,
  tokenFromLink,
} from '../../server/test/harness/people.ts'
import { ADMIN_TOKEN, startServer } from '../../server/test/harness/start-server.ts'
import { createVisitor } from '../../server/test/harness/visitors.ts'
import { logIn, openPage, ownerCookie, person } from '../src/dashboard.ts'
import { makeNavigator } from '../src/walk.ts'
import { wholeFile } from '../src/whole-file.ts'

const token = ADMIN_TOKEN
const BOT = `${MANAGE}/bots/{botId}`
const WORKSPACE = 'ws_instance'

const file = wholeFile(async (onEnd) => {
  const server = await startServer('sqlite', { environment: { BASE_URL: 'http://127.0.0.1' }, onEnd })
  return { ...server, cookie: await ownerCookie(server), botId: await furnish(server) }
})

async function furnish({ call }: Pick<Awaited<ReturnType<typeof startServer>>, 'call'>): Promise<string> {
  const bot = await call(`POST ${MANAGE}/bots`, { token, body: { name: 'Bicycle shop' } })
  const params = { botId: bot.body.id as string }
  const make = (route: string, body: object) => call(`POST ${BOT}/${route}`, { token, params, body })
  await make('documents', { documents: [{ id: 'delivery', title: 'Delivery', text: 'It takes two days.' }] })
  await make('answers', { question: 'Who repairs my gears?', answer: 'Our workshop does.' })
  await make('keys', { name: 'Website' })
  await make('webhooks', { url: 'https://receiver.example/hook' })
  await make('crawls', { url: 'https://site.example/' })
  const visitor = createVisitor(call, params.botId)
  await visitor.say('I want to talk to a human, please')
  await visitor.post('lead', { fields: { name: 'Grace', email: 'grace@example.test' } })
  return params.botId
}

/** Somebody of the workspace, by the API. */
async function member(name: string, role: 'owner' | 'editor' | 'agent' | 'viewer') {
  const { call, clock } = file.running()
  const account = await joinWorkspace(call, WORKSPACE, role, `${name}@example.test`)
  async function switchOn() {
    const { body } = await account.call(`POST ${MANAGE}/account/two-factor`)
    const code = () => authenticatorCode(body.secret, clock.now)
    const confirmation = await account.call(`POST ${MANAGE}/account/two-factor/confirm`, { body: { code: code() } })
    clock.now += 60_000
    return { code, recovery: confirmation.body.recovery_codes as string[] }
  }
  return { ...account, switchOn, given: { ...person, email: account.email } }
}

test('an invitation is made in one browser and accepted in another, with the role that was meant', async () => {
  const { baseUrl } = file.running()
  const { page } = await file.open()
  await page.goto(`${baseUrl}/workspace`)
  await page.getByRole('button', { name: 'Invite member' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').fill('vera@example.test')
  await dialog.getByRole('combobox', { name: 'Role' }).click()
  await page.getByRole('option', { name: /^Editor/ }).click()
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  const link = await dialog.getByText(/\/invitation#/).innerText()
  await dialog.getByRole('button', { name: 'I’ve saved it' }).click()
  await page.getByText('vera@example.test').waitFor()

  const guest = await file.open({ cookie: '' })
  const accept = async (password: string) => {
    await guest.page.goto(`${baseUrl}/invitation#${tokenFromLink(link)}`)
    await guest.page.getByText(/ has invited vera@example\.test/).waitFor()
    await guest.page.getByLabel('Your name').fill('Vera')
    await guest.page.getByRole('textbox', { name: 'Password' }).fill(password)
    await guest.page.getByRole('button', { name: 'Join' }).click()
  }
  await accept('password123')
  await guest.page
    .getByText(/common/)
    .first()
    .waitFor()
  await accept(person.password)
  await guest.page.waitForURL(`${baseUrl}/`)
  await guest.page.getByRole('link', { name: 'Bots', exact: true }).first().click()
  await guest.page.getByRole('link', { name: 'New bot' }).first().waitFor()
  await page.reload()
  await expect.poll(() => page.getByRole('combobox', { name: 'Role: Vera' }).inputValue()).toBe('Editor')

  // Used up: whoever finds the link later is told so, if need be at the second try.
  const lateTab = await file.open({ cookie: '' })
  await lateTab.page.route('**/invitations/read', (route) => route.abort(), { times: 1 })
  await lateTab.page.goto(`${baseUrl}/invitation#${tokenFromLink(link)}`)
  await lateTab.page.getByRole('button', { name: 'Try again' }).click()
  await lateTab.page.getByText('This link was already used').waitFor()
  expect(await lateTab.page.getByRole('button', { name: 'Join' }).count()).toBe(0)
})

test('whoever is not logged in reaches the log-in page after one request for the session', async () => {
  const { baseUrl } = file.running()
  const { page } = await file.open({ cookie: '' })
  const paths: string[] = []
  page.on('request', (request) => paths.push(new URL(request.url()).pathname))
  await page.goto(`${baseUrl}/bots`)
  await page.getByRole('textbox', { name: 'Password' }).waitFor()
  expect(paths.filter((path) => path === '/api/manage/v1/session')).toHaveLength(1)
})

test('a password link of an owner sets a new password, once, and ends the sessions', async () => {
  const { baseUrl } = file.running()
  const forgetful = await member('forgetful', 'agent')
  const { page } = await file.open()
  await page.goto(`${baseUrl}/workspace`)
  await page.getByRole('listitem').filter({ hasText: forgetful.email }).getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Create password reset link' }).click()
  const link = await page
    .getByRole('dialog')
    .getByText(/\/reset#/)
    .innerText()

  const guest = await file.open({ cookie: '' })
  const place = `${baseUrl}/reset#${tokenFromLink(link)}`
  await guest.page.goto(place)
  const field = guest.page.getByRole('textbox', { name: 'New password' })
  const set = async (password = 'quite another zebra 7') => {
    await field.fill(password)
    await guest.page.getByRole('button', { name: 'Set password' }).click()
  }
  await set('password1234')
  await guest.page.getByText('This password is too common.').waitFor()
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true)
  await set()
  await guest.page.getByText('Your new password is set.').waitFor()
  expect((await forgetful.call(`GET ${MANAGE}/session`)).status).toBe(401)
  await logIn(guest.page, baseUrl, '/account', { ...forgetful.given, password: 'quite another zebra 7' })
  await guest.page.waitForURL('**/account')

  await guest.page.goto('about:blank')
  await guest.page.goto(place)
  await set()
  await guest.page.getByRole('alert').waitFor()
})

test('the second factor is switched on, asked for at the log-in, and new recovery codes void the old ones', async () => {
  const { baseUrl, clock, call } = file.running()
  const careful = await member('careful', 'agent')
  const { page } = await file.open({ cookie: careful.cookie() })
  await page.goto(`${baseUrl}/account`)
  await page.getByRole('button', { name: 'Set up' }).click()
  const dialog = page.getByRole('dialog')
  const secret = await dialog.getByText(/^[A-Z2-7]{16,}$/).innerText()
  await dialog.getByRole('textbox').fill(authenticatorCode(secret, clock.now))
  await page.getByRole('button', { name: 'Turn on' }).click()
  const shown = () => page.getByRole('dialog').locator('pre, code').first().innerText()
  await page.getByRole('button', { name: 'I’ve saved it' }).waitFor()
  const old = (await shown()).trim().split(/\s+/)
  await page.getByRole('button', { name: 'I’ve saved it' }).click()

  clock.now += 60_000
  await page.getByRole('button', { name: 'New recovery codes' }).click()
  await dialog.getByLabel('Code').fill(authenticatorCode(secret, clock.now))
  await dialog.getByRole('button', { name: 'New recovery codes' }).click()
  await page.getByRole('button', { name: 'I’ve saved it' }).waitFor()
  const fresh = (await shown()).trim().split(/\s+/)
  expect([old.length, fresh.length, new Set([...old, ...fresh]).size]).toEqual([10, 10, 20])
  await page.getByRole('button', { name: 'I’ve saved it' }).click()

  await page.getByRole('button', { name: 'agent', exact: false }).last().click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL('**/login')
  const loginResponse = await client(call).call(`POST ${MANAGE}/session`, { body: { ...careful.given, code: old[0] } })
  expect(loginResponse.status).toBe(401)
  await logIn(page, baseUrl, '/workspace/usage', careful.given)
  await page.getByLabel('Code').fill(fresh[0] ?? '')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL('**/workspace/usage')
})

test('an owner switches a lost second factor off: that person is logged out, wherever they are, and comes in again', async () => {
  const { baseUrl, botId } = file.running()
  const unlucky = await member('unlucky', 'agent')
  await unlucky.switchOn()
  const agentTab = await file.open({ cookie: unlucky.cookie() })
  await agentTab.page.goto(`${baseUrl}/inbox?bot=${botId}`)
  await agentTab.page.getByText('Live', { exact: true }).waitFor()

  const { page } = await file.open()
  await page.goto(`${baseUrl}/workspace`)
  const row = page.getByRole('listitem').filter({ hasText: unlucky.email })
  await row.getByText('two-factor authentication').waitFor()
  await row.getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Turn off two-factor authentication' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off two-factor authentication' }).click()
  await row.getByText('two-factor authentication').waitFor({ state: 'detached' })

  // The line ends with the session, and the page leads to the log-in and back.
  await agentTab.page.waitForURL(/\/login\?next=/)
  await agentTab.page.getByLabel('Email').fill(unlucky.email)
  await agentTab.page.getByRole('textbox', { name: 'Password' }).fill(person.password)
  await agentTab.page.getByRole('button', { name: 'Log in' }).click()
  await agentTab.page.waitForURL(`**/inbox?bot=${botId}`)
})

test('a log-in stays on this site, wherever its address would lead', async () => {
  const { baseUrl, cookie } = file.running()
  const { page, context } = await file.open()
  const requestUrls: string[] = []
  await context.route(/^\w+:\/\/elsewhere/, (route) => {
    requestUrls.push(route.request().url())
    return route.abort()
  })
  // The answer to a log-in, without the work of one each time.
  await context.route(`**${MANAGE}/session`, async (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ response: await route.fetch({ method: 'GET', headers: { cookie } }) })
      : route.continue(),
  )
  const places = ['//elsewhere.test/', '/\\elsewhere.test/', '/.//elsewhere.test/', '/\t/elsewhere.test', '//']
  for (const next of [...places, 'https://elsewhere.test/', 'javascript:document.title="taken"']) {
    await logIn(page, baseUrl, next)
    await page.waitForURL((url) => url.pathname !== '/login')
    expect([next, new URL(page.url()).origin]).toEqual([next, baseUrl])
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    expect([next, await page.title(), requestUrls]).toEqual([next, expect.not.stringMatching('taken'), []])
  }
  await logIn(page, baseUrl, '/account')
  await page.waitForURL(`${baseUrl}/account`)
})

const controls: [place: string, button: string, least: 'agent' | 'editor' | 'owner'][] = [
  ['/bots', 'New bot', 'editor'],
  ['/workspace', 'Invite member', 'owner'],
  ['/bots/{botId}/knowledge', 'Add website', 'editor'],
  ['/bots/{botId}/knowledge/files', 'Drop files here', 'editor'],
  ['/bots/{botId}/knowledge/documents/delivery', 'Remove', 'editor'],
  ['/bots/{botId}/knowledge/answers', 'Add answer', 'editor'],
  ['/bots/{botId}/knowledge/products', 'Add products', 'editor'],
  ['/bots/{botId}/settings', 'Delete bot', 'owner'],
  ['/bots/{botId}/settings', 'Save', 'editor'],
  ['/bots/{botId}/settings/api', 'New key', 'editor'],
  ['/bots/{botId}/settings/integrations', 'New webhook', 'editor'],
]
const refusals: [route: string, body?: object][] = [
  [`DELETE ${BOT}`],
  [`PATCH ${BOT}`, { name: 'Taken' }],
  [`DELETE ${BOT}/documents/delivery`],
  [`POST ${BOT}/answers`, { question: 'Why?', answer: 'Because.' }],
  [`POST ${BOT}/keys`, { name: 'Mine' }],
  [`POST ${MANAGE}/workspaces/${WORKSPACE}/invitations`, { email: 'mallory@example.test', role: 'owner' }],
]

test('each role sees the controls that it may use and no others, and the API refuses what the page does not offer', async () => {
  const { baseUrl, botId } = file.running()
  const order = ['viewer', 'agent', 'editor', 'owner'] as const
  const shownControls: Record<string, boolean> = {}
  const expectedControls: Record<string, boolean> = {}
  for (const role of ['owner', 'agent', 'viewer'] as const) {
    const { cookie } = await member(`role-${role}`, role)
    const { page, problems } = await file.open({ cookie: cookie() })
    const { goTo } = makeNavigator(page, baseUrl)
    let at = ''
    for (const [place, name, least] of controls) {
      if (place !== at) await goTo(place.replace('{botId}', botId))
      at = place
      const control = page.getByRole('button', { name }).or(page.getByRole('link', { name })).or(page.getByLabel(name))
      const isAllowed = order.indexOf(role) >= order.indexOf(least)
      if (isAllowed) await control.first().waitFor()
      const key = `${role}: ${place} ${name}`
      shownControls[key] = (await control.count()) > 0
      expectedControls[key] = isAllowed
    }
    if (role === 'owner') continue
    expect(problems).toEqual([])
    const statuses = await page.evaluate(
      async (all) =>
        Promise.all(
          all.map(async ([route = '', body]) => {
            const [method = '', path = ''] = route.split(' ')
            const request = body ? { headers: { 'content-type': 'application/json' }, body } : {}
            return (await fetch(path, { method, ...request })).status
          }),
        ),
      refusals.map(([route, body]) => [route.replace('{botId}', botId), body ? JSON.stringify(body) : '']),
    )
    expect(statuses).toEqual(refusals.map(() => 403))
  }
  expect(shownControls).toEqual(expectedControls)
  expect((await invite(file.running().call, WORKSPACE, 'control@example.test', 'viewer')).response.status).toBe(201)
})

test('a sensitive action asks for the password again, with the code where it is on, and then goes on', async () => {
  const { baseUrl, clock } = file.running()
  const forgetful = await member('forgetful-again', 'agent')
  const owner = await member('owner-again', 'owner')
  const { code } = await owner.switchOn()
  const { page } = await file.open({ cookie: owner.cookie() })
  clock.now += 300_000
  await page.goto(`${baseUrl}/workspace`)
  const identityDialog = page.getByRole('dialog', { name: 'Confirm your identity' })
  const ask = async () => {
    await page.getByRole('listitem').filter({ hasText: forgetful.email }).getByRole('button').click()
    await page.getByRole('menuitem', { name: 'Create password reset link' }).click()
    await identityDialog.waitFor()
  }
  await ask()
  await identityDialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Nothing was changed. Confirm your password to continue.').waitFor()
  await expect.poll(() => identityDialog.count()).toBe(0)
  await ask()
  await identityDialog.getByRole('textbox', { name: 'Password' }).fill('wrong password')
  await identityDialog.getByLabel('Code').fill(code())
  await identityDialog.getByRole('button', { name: 'Confirm' }).click()
  await identityDialog.getByText('This password is incorrect.').waitFor()
  await identityDialog.getByRole('textbox', { name: 'Password' }).fill(person.password)
  await identityDialog.getByRole('button', { name: 'Confirm' }).click()
  await page
    .getByRole('dialog')
    .getByText(/\/reset#/)
    .waitFor()
  // It fades out.
  await expect.poll(() => identityDialog.count()).toBe(0)

  // Over a dialog that is open already.
  clock.now += 300_000
  await page.goto(`${baseUrl}/account`)
  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  await identityDialog.getByRole('textbox', { name: 'Password' }).fill(person.password)
  await identityDialog.getByLabel('Code').fill(code())
  await identityDialog.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('Two-factor authentication is off.').waitFor()

  // Without a mail server an owner changes addresses.
  expect(await page.getByRole('textbox', { name: 'Email' }).isDisabled()).toBe(true)
  clock.now += 300_000
  await page.goto(`${baseUrl}/workspace`)
  await page.getByRole('listitem').filter({ hasText: forgetful.email }).getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Change email' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change email' })
  const change = async (email: string) => {
    await dialog.getByLabel('Email').fill(email)
    await dialog.getByRole('button', { name: 'Change email' }).click()
  }
  await change(person.email)
  await identityDialog.getByRole('textbox', { name: 'Password' }).fill(person.password)
  await identityDialog.getByRole('button', { name: 'Confirm' }).click()
  await dialog.getByText('This email is already in use.').waitFor()
  await change('Moved@example.test')
  await page.getByText('moved@example.test').waitFor()
})

test('a new email is used once the link sent to it was opened', async () => {
  const mail = await startMailServer()
  const server = await startServer('sqlite', {
    environment: { SMTP_URL: mail.url, MAIL_FROM: 'docent@example.com', BASE_URL: 'http://127.0.0.1' },
  })
  const { page, context } = await openPage(file.browser(), server.baseUrl, { cookie: await ownerCookie(server) })
  onTestFinished(() => context.close())
  await page.goto(`${server.baseUrl}/account`)
  const email = page.getByRole('textbox', { name: 'Email' })
  await email.fill('Moved@example.test')
  // The page has other forms.
  await page.locator('form').filter({ has: email }).getByRole('button', { name: 'Save' }).click()
  await page.getByText('We sent a link to moved@example.test').waitFor()
  await expect.poll(() => mail.mails.some(({ to }) => to.includes('moved@example.test'))).toBe(true)
  const addressMail = mail.mails.find(({ to }) => to.includes('moved@example.test'))
  const token = /\/email#(\S+)/.exec(mailText(addressMail as ReceivedMail))?.[1]
  await page.goto(`${server.baseUrl}/email#${token}`)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('From now on, log in as moved@example.test.').waitFor()
  await page.goto(`${server.baseUrl}/email#${token}`)
  await page.reload()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('This link is no longer valid').waitFor()
})
