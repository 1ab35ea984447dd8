// What the evaluation finds in replies that no visitor should read.
import { expect, test } from 'vitest'
import { textProblems } from './text-problems.ts'

const table = '| | Price |\n| --- | --- |\n| Solo | €5 |'

test.each([
  ['heading marks', '### Plans\nSolo costs €5.'],
  ['empty brackets', 'Click the gear icon ().'],
  ['a raw table', 'Solo | €5 | 5 GB | mail'],
  ['HTML', 'Solo costs<br>€5.'],
  ['a template', 'Solo costs {{ price }}.'],
  ['a colon with nothing after it', 'You can pay, for example:'],
  [
    'a colon with nothing after it',
    'Not sure, but this might help:\n\n**Paying**\nYou can pay:\n\n**Plans**\nSolo costs €5.',
  ],
  ['a cut word', 'Solo costs €5 and has everyth…'],
  ['an image', 'Solo: ![a box](box.png)'],
  ['an invitation', 'Solo costs €5. Upgrade now.'],
  ['an invitation', 'Solo costs €5.\n\n- [Learn more](https://docent.test/plans)\n- five seats'],
  ['an invitation', 'Solo kostet 5 €.\nJetzt anmelden!'],
  ['a list of links', 'See:\n- [Plans](https://docent.test/plans)\n- https://docent.test/prices'],
  ['a repeated sentence', 'Solo costs five euros a month. Solo costs five euros a month.'],
])('%s is found', (problem, reply) => {
  expect(textProblems(reply)).toEqual([problem])
})

test.each([
  'Solo costs €5.',
  `Not sure, but this might help:\n\n${table}`,
  'Not sure, but this might help:\n\n**Plans**\nSolo costs €5.\n\n**Prices**\nStudio costs €9.',
  'You can pay:\n- by card\n- by [invoice](https://docent.test/pay) from €50',
  '1. Log in.\n2. Open the plan.',
  'You can pay, for example:\n… [Paying](https://docent.test/pay)',
])('"%s" is clean', (reply) => {
  expect(textProblems(reply)).toEqual([])
})
