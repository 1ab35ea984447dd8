// An account's OpenID issuer and subject.
export const oidc = [
  'ALTER TABLE accounts ADD COLUMN oidc_subject TEXT',
  'CREATE UNIQUE INDEX accounts_by_oidc_subject ON accounts (oidc_subject) WHERE oidc_subject IS NOT NULL',
]
