import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { answerWithModel } from '../../src/answers/language-model/answer-with-model.ts'
import { defaultModelSettings, type ModelProvider } from '../../src/answers/language-model/types.ts'
import { passages } from './ask.ts'
import { says, startFakeProvider } from './fake-provider.ts'

test('the SDK is imported on first use, so an instance without models does not load it', () => {
  const folder = new URL('../../src/answers/language-model/', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const imports = files.flatMap((file) => readFileSync(new URL(file, folder), 'utf8').match(/^import .*/gm) ?? [])
  const eager = imports.filter((line) => /from '(ai|@ai-sdk\/.*)'/.test(line) && !line.startsWith('import type'))
  expect(imports.length).toBeGreaterThan(20)
  expect(eager).toEqual([])
})

test('a model client is reused for the same settings, and recreated for changed ones', async () => {
  const fake = await startFakeProvider(says('Three days [1].'))
  const askWith = (provider: ModelProvider) =>
    answerWithModel(
      {
        question: 'q',
        language: null,
        history: [],
        passages,
        products: [],
        bot: { name: 'Ada', tone: null },
        settings: { ...defaultModelSettings, provider },
      },
      { fetch: globalThis.fetch },
    )
  const provider = { kind: 'openai_compatible', baseUrl: fake.url, apiKey: 'old', model: 'm' } as const
  expect(await askWith(provider)).toMatchObject({ text: 'Three days.' })
  expect(await askWith(provider)).toMatchObject({ text: 'Three days.' })
  await askWith({ ...provider, apiKey: 'new' })
  expect(fake.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer old', 'Bearer new'])
})
