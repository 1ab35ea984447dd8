import { expect, test } from 'vitest'
import { auditText, changedSettings } from '../src/features/workspace/audit-text.ts'

const BOT = 'bot_0123456789abcdefghijklmnop'
const KEY = 'key_0123456789abcdefghijklmnop'
const NEW = 'key_ponmlkjihgfedcba9876543210'
const CONVERSATION = 'cnv_01j2k3l4m5n6o7p8q9r0s'
const known = (id: string) => (id === BOT ? 'Helper' : undefined)

test.each([
  [`Shop (${KEY}): name, webhook_url`, 'Shop: name, webhook_url', [KEY]],
  [`Shop (${KEY}) → ${NEW}`, 'Shop', [KEY, NEW]],
  [`robot (${KEY}) of ada@example.test`, 'robot of ada@example.test', [KEY]],
  [`${KEY} of ada@example.test`, 'ada@example.test', [KEY]],
  [`Helper (${BOT}): site.test (${KEY})`, 'Helper: site.test', [BOT, KEY]],
  [`Helper (${BOT}): ${CONVERSATION}`, 'Helper', [BOT, CONVERSATION]],
  [`Helper (${BOT}): ${CONVERSATION} (resolved)`, 'Helper: resolved', [BOT, CONVERSATION]],
  [`Helper (${BOT}): 2 new, 0 changed`, 'Helper: 2 new, 0 changed', [BOT]],
  ['ada@example.test (owner)', 'ada@example.test (owner)', []],
  ['plan: business → free', 'plan: business → free', []],
  [BOT, 'Helper', [BOT]],
  // Of something that is gone, and of which nothing else was recorded.
  [KEY, KEY, []],
])('%s reads "%s", with its ids beside it', (auditEntry, text, ids) => {
  expect(auditText(auditEntry, known)).toEqual({ text, ids })
})

test.each([
  [
    'bot.changed',
    `Shop (${BOT}): name, widget.greeting`,
    { name: 'Shop', fields: ['name', 'widget.greeting'], target: `Shop (${BOT})` },
  ],
  [
    'bot.changed',
    `Help: at night (${BOT}): tone`,
    { name: 'Help: at night', fields: ['tone'], target: `Help: at night (${BOT})` },
  ],
  [
    'crawl.changed',
    `Helper (${BOT}): site.test (crl_0123456789abcdefghijklmnop): exclude`,
    {
      name: 'site.test',
      fields: ['exclude'],
      target: `Helper (${BOT}): site.test (crl_0123456789abcdefghijklmnop)`,
    },
  ],
  // Before the settings of a website were recorded.
  ['crawl.changed', `Helper (${BOT}): site.test (crl_0123456789abcdefghijklmnop)`, null],
  // Nothing was changed.
  ['bot.changed', `Help: night (${BOT})`, null],
  ['bot.changed', `Shop (${BOT})`, null],
  ['documents.imported', `Shop (${BOT}): two`, null],
])('%s of "%s" lists the changed settings', (action, text, change) => {
  expect(changedSettings(action, text)).toEqual(change)
})
