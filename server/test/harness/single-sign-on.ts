// A server with single sign-on through a provider on loopback.

import type { Engine } from './database/databases.ts'
import { makeBrowser, OIDC_SECRET, startOpenIdProvider } from './external/openid-provider.ts'
import { startServer } from './start-server.ts'

export const OURS = 'https://docent.test'

/** Headers of a request from our own pages. */
export const fromOurPage = (cookie: string) => ({ cookie, origin: OURS, 'sec-fetch-site': 'same-origin' })

export async function startWithSingleSignOn(engine: Engine, environment: Record<string, string> = {}) {
  const provider = await startOpenIdProvider(`${OURS}/auth/oidc/callback`)
  const server = await startServer(engine, {
    environment: {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: 'docent',
      OIDC_CLIENT_SECRET: OIDC_SECRET,
      OIDC_NAME: 'Example ID',
      OIDC_SCOPES: 'openid email profile groups',
      ...environment,
    },
  })
  /** Returns the page that the login ends on, and the session if there is one. */
  async function logIn(person: typeof provider.person, query = '', browser = makeBrowser({ [OURS]: server.baseUrl })) {
    provider.person = person
    const isPage = ({ origin, pathname }: URL) => origin === OURS && !pathname.startsWith('/auth/')
    const { pathname, search } = await browser.follow(`${OURS}/auth/oidc${query}`, isPage)
    const cookie = browser.cookies(OURS)
    const session = await server.call('GET /api/manage/v1/session', { headers: { cookie } })
    return { place: pathname + search, session: session.body, cookie, browser }
  }
  return { ...server, provider, logIn }
}
