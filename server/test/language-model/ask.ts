import { answerWithModel } from '../../src/answers/language-model/answer-with-model.ts'
import {
  defaultModelSettings,
  type ModelProvider,
  type ModelQuestion,
  type ModelSettings,
} from '../../src/answers/language-model/types.ts'
import { type Reply, startFakeProvider } from './fake-provider.ts'

export type Kind = ModelProvider['kind']
export const kinds: Kind[] = ['openai_compatible', 'anthropic']
export const KEY = 'sk-very-secret-4711'

export const passages = [
  {
    title: 'Shipping',
    text: 'We ship within 3 days. Details: https://shop.example/shipping',
    url: 'https://shop.example/s',
  },
  { title: 'Returns', text: 'Returns are free for 30 days.', url: 'https://shop.example/r' },
  { title: 'Payment', text: 'You can pay by card.', url: null },
]

type Changes = Partial<Omit<ModelQuestion, 'settings'>> & { settings?: Partial<ModelSettings> }

/** Calls a fake provider through the public function, with the real fetch. */
export async function ask(
  kind: Kind,
  reply: Reply,
  { settings, ...input }: Changes = {},
  { signal, onText }: { signal?: AbortSignal; onText?: () => void } = {},
) {
  const provider = await startFakeProvider(reply)
  const deltas: string[] = []
  const result = await answerWithModel(
    {
      question: 'How long does shipping take?',
      language: 'en',
      history: [],
      passages,
      products: [],
      bot: { name: 'Ada', tone: 'friendly' },
      ...input,
      settings: {
        ...defaultModelSettings,
        provider: { kind, baseUrl: provider.url, apiKey: KEY, model: 'test-model' },
        ...settings,
      },
    },
    {
      fetch: globalThis.fetch,
      onText(delta) {
        deltas.push(delta)
        onText?.()
      },
      ...(signal ? { signal } : {}),
    },
  )
  return { result, deltas, shownText: deltas.join(''), provider, request: provider.requests[0] }
}
