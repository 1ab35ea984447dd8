// The workspace, its members, and the instance.
import { INVITATION_DAYS } from '@docent/contract/limits'

export const members = {
  title: 'Members',
  about: 'People in this workspace and their roles.',
  invite: 'Invite member',
  submit: 'Send invitation',
  emptyTitle: 'No members yet',
  emptyAbout: 'People you invite appear here once they accept.',
  role: 'Role',
  roles: { owner: 'Owner', editor: 'Editor', agent: 'Agent', viewer: 'Viewer' },
  roleHints: {
    owner: 'Full access, including members and deletion',
    editor: 'Manages bots, knowledge, keys and webhooks',
    agent: 'Replies to visitors',
    viewer: 'Read-only access',
  },
  invited: 'Invitation created',
  invitedAbout: `Share this link with the person. It is valid for ${INVITATION_DAYS} days.`,
  invitedSent: 'It was also sent by email.',
  pendingTitle: 'Pending invitations',
  expires: (when: string) => `expires ${when}`,
  withdraw: 'Withdraw',
  withdrawn: 'Invitation withdrawn',
  resetLink: 'Create password reset link',
  newResetLink: 'Password reset link',
  resetLinkAbout: 'Share it with the person. It works once, within an hour.',
  changeEmail: 'Change email',
  changeEmailAbout:
    'They log in with this address. They are logged out everywhere, their tokens are revoked and single sign-on is unlinked.',
  twoFactor: 'two-factor authentication',
  turnOffTwoFactor: 'Turn off two-factor authentication',
  turnOffTwoFactorTitle: (name: string) => `Turn off two-factor authentication for ${name}?`,
  turnOffTwoFactorAbout:
    'For members who lost both their phone and their recovery codes. Make sure the request really comes from them. They are logged out everywhere and log in with their password alone until they set it up again.',
  twoFactorOff: 'Two-factor authentication is off, and the member is logged out.',
  remove: 'Remove',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeAbout:
    'They lose access to this workspace immediately. Their tokens, and the links and tokens they created for others, stop working.',
  you: 'you',
} as const

export const usage = {
  title: 'Usage',
  limits: 'Limits',
  plan: 'Plan',
  plans: { free: 'Free', starter: 'Starter', business: 'Business', enterprise: 'Enterprise' },
  chatApi: 'Chat API',
  included: 'Included',
  notIncluded: 'Requires the Business or Enterprise plan',
  dailyLimit: 'Calls per key and day',
  today: 'Today (UTC)',
  calls: (count: string) => (count === '1' ? '1 call' : `${count} calls`),
  keyCount: (count: number) => (count === 1 ? '1 key' : `${count} keys`),
  noKeys: 'No keys',
  changeAbout: 'Set by the instance owner.',
} as const

export const audit = {
  title: 'Audit log',
  about: 'Who did what, newest first.',
  emptyTitle: 'No entries yet',
  emptyAbout: 'Logins and changes to members, keys, webhooks and settings are recorded here.',
  action: 'Action',
  target: 'Target',
  actor: 'Who',
  ip: 'IP address',
} as const

export const instance = {
  title: 'Instance',
  about: 'All workspaces on this instance.',
  create: 'New workspace',
  submit: 'Create workspace',
  created: 'Workspace created',
  edit: 'Edit workspace',
  limit: 'Calls per key and day',
  limitHint: (limit: string) => `Leave empty for the default of ${limit}.`,
  total: 'Calls per day, all keys',
  totalHint: 'For the whole workspace. Leave empty for no limit.',
  limitShown: (limit: string) => `${limit} calls per key and day`,
  switchTo: 'Switch to workspace',
  emptyTitle: 'No workspaces',
  emptyAbout: 'Each workspace has its own bots and members.',
} as const
