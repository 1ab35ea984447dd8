import { type Role, roles } from '@docent/contract'
import type { Reader } from './env.ts'

/** The OpenID provider that people log in through. */
export interface OidcConfig {
  issuer: string
  clientId: string
  clientSecret: string | null
  /** Label of the log-in button. */
  name: string
  scopes: string
  trustEmail: boolean
  roleClaim: string | null
  roles: { value: string; role: Role }[]
  defaultRole: Role | null
  /** Null: the instance's workspace. */
  workspaceId: string | null
}

export function readOidc(read: Reader, mistakes: string[]): OidcConfig | null {
  // Taken literally: a trailing slash makes it a different issuer.
  const issuer = read.text('OIDC_ISSUER')
  if (issuer && !/^https?:\/\/\S+$/.test(issuer))
    mistakes.push('OIDC_ISSUER must be a URL that starts with http:// or https://')
  const clientId = read.text('OIDC_CLIENT_ID')
  const defaultRole = read.oneOf('OIDC_DEFAULT_ROLE', ['none', ...roles], 'none')
  const roleClaim = read.text('OIDC_ROLE_CLAIM')
  const pairs = read.text('OIDC_ROLES')?.split(',') ?? []
  const mapping = pairs.flatMap((pair) => {
    const at = pair.lastIndexOf('=')
    const [value, role] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
    return value && roles.includes(role as Role) ? [{ value, role: role as Role }] : []
  })
  if (mapping.length < pairs.length)
    mistakes.push(`OIDC_ROLES must be pairs such as staff=editor, separated by commas; roles are ${roles.join(', ')}`)
  if (Boolean(roleClaim) !== mapping.length > 0) mistakes.push('OIDC_ROLE_CLAIM and OIDC_ROLES need each other')
  if (Boolean(issuer) !== Boolean(clientId)) mistakes.push('OIDC_ISSUER and OIDC_CLIENT_ID need each other')
  const given = {
    clientSecret: read.secret('OIDC_CLIENT_SECRET', 1),
    name: read.text('OIDC_NAME') ?? 'single sign-on',
    scopes: read.text('OIDC_SCOPES') ?? 'openid email profile',
    trustEmail: read.oneOf('OIDC_TRUST_EMAIL', ['on', 'off'], 'off') === 'on',
    defaultRole: defaultRole === 'none' ? null : (defaultRole as Role),
    workspaceId: read.text('OIDC_WORKSPACE_ID'),
  }
  return issuer && clientId ? { issuer, clientId, roleClaim, roles: mapping, ...given } : null
}
