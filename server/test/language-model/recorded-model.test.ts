// Evaluations with stored replies of a language model: by the hash of the prompt, and what is missing is collected.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFindInvented } from '../../../lab/evaluation/invented.ts'
import { MissingReply, openRecordedModel, writeReplies } from '../../../lab/evaluation/recorded-model.ts'
import { passages } from './ask.ts'

const material = {
  question: 'How long does shipping take?',
  language: 'en',
  history: [],
  passages,
  products: [],
  bot: { name: 'Ada', tone: 'formal' },
}
const toRestate = { question: 'And to Norway?', history: [], wants: 'complete' as const }

test('a prompt without a reply is written down, and replayed once it has one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'docent-replies-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'replies.jsonl')
  const empty = openRecordedModel([file])
  await expect(empty.generateAnswer(material)).rejects.toThrow(MissingReply)
  await expect(empty.generateAnswer(material)).rejects.toThrow(MissingReply)
  await expect(empty.restateQuestion(toRestate)).rejects.toThrow(MissingReply)
  const [first, second] = empty.missing()
  if (!first || !second) throw new Error('two prompts are missing')
  expect(empty.missing()).toHaveLength(2)
  expect(first).toMatchObject({ reply: '', prompt: [{ role: 'system' }, { role: 'user' }] })
  writeReplies(file, [
    { ...first, reply: 'Three days [1].\n@@ answered' },
    { ...second, reply: '' },
  ])
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(2)

  const model = openRecordedModel([file])
  expect(await model.generateAnswer(material)).toMatchObject({
    text: 'Three days.',
    outcome: 'answered',
    usedPassages: [1],
  })
  await expect(model.generateAnswer({ ...material, question: 'Another?' })).rejects.toThrow(MissingReply)
  // A line without a reply is still to be answered.
  await expect(model.restateQuestion(toRestate)).rejects.toThrow(MissingReply)
  expect(model.missing()).toHaveLength(2)
})

test('figures and addresses count as invented if neither content nor visitor has them', () => {
  const findInvented = makeFindInvented([
    'Shipping costs 4,90 € from 1.150 km on. Write to help@shop.test or https://shop.test/a.',
  ])
  expect(findInvented('1. It costs €4.90 beyond 1150 km.\n2. See https://shop.test/a.', [])).toEqual([])
  expect(findInvented('It takes 7 days, 30 for you.', ['I have 30 days'])).toEqual(['7'])
  expect(findInvented('Write to me@evil.test or www.evil.test', [])).toEqual(['me@evil.test', 'www.evil.test'])
})
