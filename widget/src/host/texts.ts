// All texts of the interface, in English. Other languages are files in ../languages; the widget loads only the
// visitor's.

export const english = {
  open: 'Open chat',
  close: 'Close chat',
  menu: 'Menu',
  tools: 'Emoji and files',
  conversation: 'Conversation',
  earlier: 'Earlier messages',
  greeting: 'Hello! How can we help?',
  disclaimer: 'This is an automated assistant. It answers from this site’s content and can make mistakes.',
  privacy: 'Privacy',
  placeholder: 'Write a message…',
  send: 'Send',
  answering: 'Looking for an answer…',
  typing: '{name} is typing…',
  sources: 'Sources',
  helpful: 'Helpful',
  notHelpful: 'Not helpful',
  cancel: 'Cancel',
  rated: 'Thanks for your feedback.',
  person: 'Talk to a person',
  waiting: 'Connecting you to a person…',
  talkingTo: 'You’re talking to {name}.',
  team: 'our team',
  back: 'Back to the assistant',
  notSent: 'Not sent.',
  retry: 'Try again',
  offline: 'You’re offline. Your text is kept.',
  error: 'Something went wrong. Please try again.',
  unread: 'New messages: {count}',
}

export type Texts = typeof english

/** Fills in the {placeholder}. */
export function formatText(sentence: string, value: string | number): string {
  return sentence.replace(/\{.+\}/, () => String(value))
}
