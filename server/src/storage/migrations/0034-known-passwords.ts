// Whether somebody knows the password of an account: joining the single sign-on sets one that nobody knows.
export const knownPasswords = [
  'ALTER TABLE accounts ADD COLUMN has_password INTEGER NOT NULL DEFAULT 1',
  // Perhaps one was set since; then setting it once more tells.
  'UPDATE accounts SET has_password = 0 WHERE oidc_subject IS NOT NULL',
]
