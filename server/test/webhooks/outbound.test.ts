// The outbound HTTP client: which addresses it refuses, however they are written or resolved.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { parseNetwork } from '../../src/outbound/guard.ts'
import { openOutbound } from '../../src/outbound/outbound.ts'
import { startDnsServer } from '../harness/external/dns-server.ts'
import { hostileUrls, unsupportedUrls } from '../harness/samples/hostile-urls.ts'

async function open({ allowed = [] as string[] } = {}) {
  const names = await startDnsServer()
  const outbound = openOutbound({
    allowedPrivateNetworks: allowed.flatMap((text) => parseNetwork(text) ?? []),
    dnsServers: [names.address],
  })
  onTestFinished(() => outbound.close())
  return { outbound, names: names.addresses }
}

async function startTarget() {
  let calls = 0
  const server = createServer((request, response) => {
    calls++
    if (request.url === '/redirect') response.writeHead(302, { location: '/elsewhere' })
    response.end('reached')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, calls: () => calls }
}

/** The reason a call ended with, looked for in its causes. */
async function failure(call: Promise<unknown>): Promise<string> {
  try {
    await call
  } catch (error) {
    const causes: string[] = []
    for (let e: unknown = error; e instanceof Error; e = e.cause) causes.push(`${e.name}: ${e.message}`)
    return causes.join(' ← ')
  }
  return ''
}

test.each(hostileUrls)('%s is refused when saved and when called', async (url) => {
  const { outbound } = await open()
  expect(await outbound.urlProblem(url)).toMatch(/is not allowed/)
  expect(await failure(outbound.fetch(url))).toContain('RefusedUrl')
})

test.each(unsupportedUrls)('%s is refused as not callable', async (url) => {
  const { outbound } = await open()
  expect(await outbound.urlProblem(url)).not.toBeNull()
  expect(await failure(outbound.fetch(url))).toContain('RefusedUrl')
})

test.each(['https://example.com/hook?a=b', 'http://8.8.8.8:8080/', 'https://[2606:4700::1111]/', 'https://1.1.1.1/'])(
  '%s may be saved',
  async (url) => {
    const { outbound } = await open()
    expect(await outbound.urlProblem(url)).toBeNull()
  },
)

test.each([
  ['a private address', ['10.0.0.7']],
  ['a public and a loopback address', ['8.8.8.8', '127.0.0.1']],
  ['a public and a private IPv6 address', ['8.8.8.8', 'fd00::1']],
])('a host that resolves to %s is refused', async (_, addresses) => {
  const { outbound, names } = await open()
  names.set('hook.example', [addresses])
  expect(await outbound.urlProblem('https://hook.example/')).toMatch(/resolves to .* not allowed/)
  expect(await failure(outbound.fetch('http://hook.example/'))).toContain('RefusedUrl')
})

test('a host that resolves to a private address after saving is refused when called', async () => {
  const target = await startTarget()
  const { outbound, names } = await open()
  names.set('rebind.example', [['8.8.8.8'], ['127.0.0.1']])
  const url = `http://rebind.example:${target.port}/`
  expect(await outbound.urlProblem(url)).toBeNull()
  expect(await failure(outbound.fetch(url))).toContain('RefusedUrl')
  expect(target.calls()).toBe(0)
})

test('a refusal names the kind of address, not the address', async () => {
  const { outbound, names } = await open()
  names.set('inner.example', [['10.11.12.13']])
  expect(await outbound.urlProblem('https://inner.example/')).not.toContain('10.11')
})

test('networks allowed by the operator can be called, by address and by name', async () => {
  const target = await startTarget()
  const { outbound, names } = await open({ allowed: ['127.0.0.0/8'] })
  names.set('inner.example', [['127.0.0.1']])
  for (const host of ['127.0.0.1', 'localhost', 'inner.example', '[::ffff:127.0.0.1]']) {
    const url = `http://${host}:${target.port}/`
    expect(await outbound.urlProblem(url)).toBeNull()
    expect(await (await outbound.fetch(url)).text()).toBe('reached')
  }
  expect(await outbound.urlProblem('http://10.0.0.1/')).not.toBeNull()
})

test.each(['10/8', '0x0a000000/8', 'inner.example', '10.0.0.0/33', ''])('%s is not a valid network', (text) => {
  expect(parseNetwork(text)).toBeUndefined()
})

test('a redirect is never followed, even when asked to', async () => {
  const target = await startTarget()
  const { outbound } = await open({ allowed: ['127.0.0.1'] })
  const response = await outbound.fetch(`http://127.0.0.1:${target.port}/redirect`, { redirect: 'follow' })
  expect(response.status).toBe(302)
  expect(target.calls()).toBe(1)
})
