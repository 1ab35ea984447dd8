// A real OpenID provider on loopback that logs one person in without asking for credentials.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { onTestFinished } from 'vitest'

export interface OpenIdProvider {
  issuer: string
  /** Who logs in next, with their claims. */
  person: { sub: string; [claim: string]: unknown }
  /** Claims of the ID token besides the subject; the others come from userinfo. */
  idToken: Record<string, unknown>
  /** Whether every request is answered with an error. */
  isDown: boolean
  /** Number of requests received. */
  requests: number
}

export const OIDC_SECRET = 'oidc-client-secret-CANARY-71'

export async function startOpenIdProvider(redirectUri: string): Promise<OpenIdProvider> {
  const state: OpenIdProvider = { issuer: '', person: { sub: 'nobody' }, idToken: {}, isDown: false, requests: 0 }
  let provider: Provider | undefined
  const server = createServer(async (request, response) => {
    if (!provider) return
    state.requests++
    if (state.isDown) return response.writeHead(503).end()
    if (!request.url?.startsWith('/interaction/')) return provider.callback()(request, response)
    const { params } = await provider.interactionDetails(request, response)
    const grant = new provider.Grant({ accountId: state.person.sub, clientId: params.client_id ?? '' })
    grant.addOIDCScope('openid email profile groups')
    const consent = { grantId: await grant.save() }
    await provider.interactionFinished(request, response, { login: { accountId: state.person.sub }, consent })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  state.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  provider = new Provider(state.issuer, {
    clients: [{ client_id: 'docent', client_secret: OIDC_SECRET, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    cookies: { keys: ['a key of the tests'] },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    features: { devInteractions: { enabled: false } },
    conformIdTokenClaims: false,
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: (tokenUse: string) => (tokenUse === 'id_token' ? { sub, ...state.idToken } : state.person),
    }),
  })
  return state
}

/** A browser that follows redirects and keeps cookies. `hosts` maps public origins to local ones. */
export function makeBrowser(hosts: Record<string, string>) {
  const jar = new Map<string, Map<string, string>>()
  const cookiesOf = (origin: string) => jar.get(origin) ?? jar.set(origin, new Map()).get(origin) ?? new Map()

  async function get(url: string) {
    const { origin, pathname, search } = new URL(url)
    const cookies = cookiesOf(origin)
    const response = await fetch(`${hosts[origin] ?? origin}${pathname}${search}`, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return response
  }

  return {
    get,
    /** Follows redirects up to a matching URL. */
    async follow(start: string, isTarget: (url: URL) => boolean) {
      let url = start
      for (let step = 0; step < 12; step++) {
        if (isTarget(new URL(url))) return new URL(url)
        const response = await get(url)
        const next = response.headers.get('location')
        if (!next) throw new Error(`${url} led nowhere: ${response.status} ${await response.text()}`)
        url = new URL(next, url).href
      }
      throw new Error(`too many redirects, the last to ${url}`)
    },
    cookies: (origin: string) => [...cookiesOf(origin)].map(([name, value]) => `${name}=${value}`).join('; '),
  }
}
