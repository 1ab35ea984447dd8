// A bot with five weeks of conversations: answered and unanswered, rated, handed over, and with leads.

import type { ServerOptions } from '../../server/test/harness/start-server.ts'
import { createVisitor } from '../../server/test/harness/visitors.ts'
import { startShop } from './shop-bot.ts'

const DAY_MS = 86_400_000
const DAYS = 36
// Visitors per weekday, counting back from Sunday.
const VISITORS = [1, 1, 2, 3, 3, 2, 2]
const HARD = 'Do you rent out canoes?'
const questions = ['How long does delivery take?', HARD, 'Where do I send returns?', 'What does express delivery cost?']
const pages = ['https://shop.test/', 'https://shop.test/kestrel', 'https://shop.test/returns']

export async function startBusyBot(onEnd: ServerOptions['onEnd']) {
  const shop = await startShop({ environment: { BASE_URL: 'http://127.0.0.1' }, onEnd })
  const { clock, call, botId } = shop
  const now = clock.now
  for (let day = DAYS; day >= 0; day--) {
    clock.now = now - day * DAY_MS
    for (let each = 0; each < (VISITORS[day % 7] ?? 1); each++) {
      const visitor = createVisitor(call, botId)
      const question = questions[(day + each) % questions.length] ?? HARD
      const response = await visitor.say(question, { page_url: pages[(day * each) % pages.length] })
      if (response.status !== 200) throw new Error(response.text)
      if (day % 4 === 0) await visitor.say(questions[0] ?? HARD)
      const rating = question === HARD ? 'down' : 'up'
      if (day % 2 === 0) await visitor.post('feedback', { message_id: response.body.message_id, rating })
      if (day % 6 === 0) await visitor.post('handover', {})
      if (day % 7 === 0) {
        const fields = { name: `Visitor ${day}-${each}`, email: `visitor-${day}-${each}@example.test` }
        await visitor.post('lead', { fields })
      }
    }
  }
  clock.now = now
  return { ...shop, unanswered: HARD }
}
