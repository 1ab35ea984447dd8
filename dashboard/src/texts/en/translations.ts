import { BUTTONS_PER_PLACE } from '@docent/contract/limits'

export const translations = {
  title: 'Other languages',
  about:
    'Greeting, suggested questions, fallback message, and the buttons and questions of your flows, for visitors who use another language.',
  add: 'Add a language',
  addPlaceholder: 'Choose a language',
  remove: (language: string) => `Remove ${language}`,
  complete: 'All texts written',
  missing: (texts: string[]) => `Missing: ${texts.join(', ')}`,
  parts: {
    greeting: 'greeting',
    questions: 'questions',
    fallback: 'fallback message',
    buttons: 'buttons',
    handover: 'questions before a handover',
  },
  button: (label: string) => `Button “${label}”`,
  buttonAsks: (label: string) => `What “${label}” asks`,
  handover: (label: string) => `Question before a handover: ${label}`,
  choices: (label: string) => `Choices: ${label}`,
  choicesHint: (options: string[]) => `One per line, in this order: ${options.join(', ')}`,
  choicesCount: (count: number) => `Write ${count} lines, one for each choice.`,
  greetingInstead: (language: string) =>
    `If empty, visitors see the greeting above if it is in ${language}, otherwise the built-in ${language} one.`,
  questionsInstead: (language: string) =>
    `One per line, up to ${BUTTONS_PER_PLACE}. If empty, visitors see the questions above if they are in ${language}, otherwise none.`,
  fallbackInstead: (language: string) =>
    `If empty, visitors get the message from the general settings if it is in ${language}, otherwise the built-in ${language} one.`,
}
