// Whether an account's password is known to its person: linking single sign-on sets a random one.
export const knownPasswords = [
  'ALTER TABLE accounts ADD COLUMN has_password INTEGER NOT NULL DEFAULT 1',
  // Some may have set one since; they can set it again.
  'UPDATE accounts SET has_password = 0 WHERE oidc_subject IS NOT NULL',
]
