// Answers that agents propose. Loaded with their screens, apart from the other texts.
export const proposals = {
  add: 'Add to knowledge',
  added: 'Proposed',
  addedDone: 'Proposed. An editor decides on it under Knowledge, Curated answers.',
  title: (count: string) => (count === '1' ? '1 answer is proposed' : `${count} answers are proposed`),
  about: 'From replies of your team. The bot uses them once you approve them.',
  by: (name: string) => `by ${name}`,
  conversation: 'Conversation',
  noQuestion: 'Question still missing',
  review: 'Review',
  reject: 'Reject',
  rejected: 'Rejected.',
  approve: 'Approve answer',
  approved: 'Approved. The bot uses it from now on.',
  approvedShort: 'Approved',
  approveTitle: 'Approve this answer',
} as const
