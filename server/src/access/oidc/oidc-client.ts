// The OpenID provider of the operator: authorization code with PKCE, state and nonce. The library and the provider's
// metadata are loaded by the first log-in; what fails then is tried again by the next, but not in a loop.
import { Fault } from '@docent/contract'
import type { Configuration } from 'openid-client'

export interface OidcSettings {
  issuer: string
  clientId: string
  clientSecret: string | null
  scopes: string
}

/** What the browser keeps, sealed, until it comes back. */
export interface PendingLogIn {
  state: string
  nonce: string
  verifier: string
  /** Whether the provider has to ask for the password again. */
  isFresh: boolean
}

export type Claims = Record<string, unknown> & { sub: string }

export type OidcClient = ReturnType<typeof createOidcClient>

export function createOidcClient(
  { issuer, clientId, clientSecret, scopes }: OidcSettings,
  redirectUri: string,
  clock: () => number,
) {
  let discovered: Promise<Configuration> | null = null
  let failedAt: number | null = null

  async function discover(): Promise<Configuration> {
    const { allowInsecureRequests, discovery, None } = await import('openid-client')
    const insecure = issuer.startsWith('http:') ? { execute: [allowInsecureRequests] } : {}
    const authentication = clientSecret === null ? None() : undefined
    return discovery(new URL(issuer), clientId, clientSecret ?? undefined, authentication, insecure)
  }

  async function provider(): Promise<Configuration> {
    // Anybody can start a log-in, and must not make us ask a provider that is down over and over.
    if (failedAt !== null && Math.abs(clock() - failedAt) < PAUSE_MS) throw new Fault('sso_failed')
    discovered ??= discover().catch((error: unknown) => {
      discovered = null
      failedAt = clock()
      throw error
    })
    return discovered
  }

  return {
    /** Where to send the browser, and what to remember. */
    async start(isFresh: boolean): Promise<{ url: string; pending: PendingLogIn }> {
      const client = await import('openid-client')
      const pending = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
        isFresh,
      }
      const url = client.buildAuthorizationUrl(await provider(), {
        redirect_uri: redirectUri,
        scope: scopes,
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
        ...(isFresh ? { prompt: 'login', max_age: '0' } : {}),
      })
      return { url: url.href, pending }
    },

    /** What the provider says of the person, checked; `query` is what the browser came back with. */
    async finish(query: string, { state, nonce, verifier, isFresh }: PendingLogIn): Promise<Claims> {
      const client = await import('openid-client')
      const config = await provider()
      const tokens = await client.authorizationCodeGrant(config, new URL(`${redirectUri}?${query}`), {
        ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
        ...(isFresh ? { maxAge: FRESH_SECONDS } : {}),
      })
      const claims = tokens.claims()
      if (!claims) throw new Error('the OpenID provider sent no ID token')
      // Many providers tell addresses and groups only there.
      const hasMore = config.serverMetadata().userinfo_endpoint !== undefined
      const more = hasMore ? await client.fetchUserInfo(config, tokens.access_token, claims.sub) : {}
      return { ...claims, ...more, ...emailClaims(more, claims) }
    },
  }
}

/** Both from one source, the one that tells both if any: that an address is verified says nothing of another. */
function emailClaims(...sources: Record<string, unknown>[]) {
  const named = sources.filter(({ email }) => email !== undefined)
  const source = named.find(({ email_verified }) => email_verified !== undefined) ?? named[0]
  return { email: source?.email, email_verified: source?.email_verified }
}

const FRESH_SECONDS = 60
const PAUSE_MS = 10_000
