// One message with a question about products and one for the pages.
import { expect, test } from 'vitest'
import { startCatalogueServer } from '../harness/catalogue.ts'
import { engines } from '../harness/database/databases.ts'
import { ADMIN_TOKEN } from '../harness/start-server.ts'

const [engine] = engines
const jacket = { id: 'brume', title: 'Brume rain jacket', price: 89, currency: 'EUR', availability: 'in_stock' }
const returnsPage = {
  id: 'returns',
  title: 'Returns',
  url: 'https://shop.test/returns',
  text: 'You can return a jacket or any other product within 30 days of delivery.',
}

test('what the pages say in doubt about the second question follows with a hedge', async () => {
  const { call, manage, sync, botId, chatKey } = await startCatalogueServer(engine as (typeof engines)[number])
  await manage('POST /api/manage/v1/bots/{botId}/documents', { body: { documents: [returnsPage] } })
  await sync([jacket])
  const ask = async (message: string) =>
    (await call('POST /api/v1/chat', { token: chatKey, body: { bot_id: botId, message } })).body
  const asksBoth = 'Do you have the Brume rain jacket, and can I return it within 30 days?'
  const sure = await ask(asksBoth)
  expect(sure.response).toMatch(/^(?!.*not sure)[\s\S]*Brume[\s\S]*within 30 days of delivery/)
  const body = { answer_threshold: sure.confidence + 0.01, suggest_threshold: 0.05 }
  await manage('PATCH /api/manage/v1/bots/{botId}', { token: ADMIN_TOKEN, body })
  const doubtful = await ask(asksBoth)
  expect(doubtful.response).toMatch(
    /Brume[^\n]*[\s\S]*\n\nI’m not sure, but this may help:\n\n[\s\S]*within 30 days of delivery/,
  )
  expect(doubtful.response.match(/not sure/g)).toHaveLength(1)
  expect(doubtful.sources.map(({ url }: { url: string }) => url)).toContain(returnsPage.url)
})
