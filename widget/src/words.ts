// Every sentence of the interface, in English; the other languages are files in ../languages. The script carries none
// of them: it loads the one that its visitor reads.

export const english = {
  open: 'Open chat',
  close: 'Close chat',
  conversation: 'Conversation',
  earlier: 'Earlier messages',
  greeting: 'Hello! What would you like to know?',
  machine: 'An automated assistant answers here, from the content of this site. It can be wrong.',
  privacy: 'Privacy',
  suggestions: 'Suggested questions',
  placeholder: 'Write a message…',
  send: 'Send',
  answering: 'An answer is on its way…',
  typing: '{name} is typing…',
  sources: 'Sources',
  good: 'Helpful',
  bad: 'Not helpful',
  why: 'What was wrong with it?',
  cancel: 'Cancel',
  rated: 'Thank you for the feedback.',
  person: 'Talk to a person',
  waiting: 'Looking for a person who can help…',
  with: 'You are talking to {name}.',
  team: 'our team',
  back: 'Back to the assistant',
  nobody: 'Nobody is free right now. Leave your details and we will get back to you.',
  returned: 'The automated assistant answers again.',
  details: 'Leave your details',
  name: 'Name',
  email: 'E-mail',
  phone: 'Phone',
  message: 'Message',
  optional: 'optional',
  required: 'Please fill this in.',
  check: 'Please check this.',
  agree: 'Please tick the box first.',
  received: 'Thank you. We will get back to you.',
  unsent: 'Not sent.',
  retry: 'Try again',
  offline: 'You are offline. What you write is kept.',
  broken: 'Something went wrong. Please try again.',
  unread: 'New messages: {count}',
  in_stock: 'In stock',
  out_of_stock: 'Out of stock',
  preorder: 'Pre-order',
  backorder: 'On back order',
}

export type Words = typeof english

/** Fills the {gap} of a sentence. */
export function say(sentence: string, value: string | number): string {
  return sentence.replace(/\{.+\}/, () => String(value))
}
