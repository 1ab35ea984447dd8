// The operator's OpenID provider: authorization code flow with PKCE, state and nonce. The library and the provider's
// metadata load on first log-in; a failure is retried by a later log-in, after a pause.
import { Fault } from '@docent/contract'
import type { Configuration } from 'openid-client'

export interface OidcSettings {
  issuer: string
  clientId: string
  clientSecret: string | null
  scopes: string
}

/** Kept by the browser, sealed, until it returns. */
export interface PendingLogIn {
  state: string
  nonce: string
  verifier: string
  /** Whether the provider must ask for the password again. */
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
    // Anyone can start a log-in, which must not flood a provider that is down.
    if (failedAt !== null && Math.abs(clock() - failedAt) < PAUSE_MS) throw new Fault('sso_failed')
    discovered ??= discover().catch((error: unknown) => {
      discovered = null
      failedAt = clock()
      throw error
    })
    return discovered
  }

  return {
    /** Where to redirect the browser, and what to remember. */
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

    /** The provider's verified claims; `query` is the callback's. */
    async finish(query: string, { state, nonce, verifier, isFresh }: PendingLogIn): Promise<Claims> {
      const client = await import('openid-client')
      const config = await provider()
      const tokens = await client.authorizationCodeGrant(config, new URL(`${redirectUri}?${query}`), {
        ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
        ...(isFresh ? { maxAge: FRESH_SECONDS } : {}),
      })
      const claims = tokens.claims()
      if (!claims) throw new Error('the OpenID provider sent no ID token')
      // Many providers return addresses and groups only from here.
      const hasMore = config.serverMetadata().userinfo_endpoint !== undefined
      const more = hasMore ? await client.fetchUserInfo(config, tokens.access_token, claims.sub) : {}
      return { ...claims, ...more, ...emailClaims(more, claims) }
    },
  }
}

/** Both claims from one source, preferably one that has both: "verified" applies only to that source's address. */
function emailClaims(...sources: Record<string, unknown>[]) {
  const named = sources.filter(({ email }) => email !== undefined)
  const source = named.find(({ email_verified }) => email_verified !== undefined) ?? named[0]
  return { email: source?.email, email_verified: source?.email_verified }
}

const FRESH_SECONDS = 60
const PAUSE_MS = 10_000
