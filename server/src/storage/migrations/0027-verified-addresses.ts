// Email goes only to an address verified to be the visitor's, and a transcript only to the address that requested it.
export const verifiedAddresses = [
  'ALTER TABLE leads ADD COLUMN email_verified INTEGER NOT NULL DEFAULT 0',
  `UPDATE leads SET email_verified = 1 WHERE source = 'form' OR NOT EXISTS (
     SELECT 1 FROM messages m
     WHERE m.bot_id = leads.bot_id AND m.conversation_id = leads.conversation_id AND m.unverified = 1)`,
  'ALTER TABLE visitor_mails ADD COLUMN address TEXT',
]
