// A fixed number of chat turns across nodes: conversations of four turns, each turn on the next node.
import { questions } from './demo-content.ts'

const TURNS_PER_CONVERSATION = 4

export async function askTurns(
  urls: string[],
  bot: { botId: string; key: string },
  turns: number,
  atOnce = 32,
): Promise<void> {
  const questionTexts = questions()
  let startedTurns = 0

  async function converse() {
    while (startedTurns < turns) {
      let sessionId: string | undefined
      for (let turn = 0; turn < TURNS_PER_CONVERSATION; turn++) {
        const number = startedTurns++
        const response = await fetch(`${urls[number % urls.length]}/api/v1/chat`, {
          method: 'POST',
          headers: { authorization: `Bearer ${bot.key}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            bot_id: bot.botId,
            message: questionTexts[number % questionTexts.length],
            session_id: sessionId,
          }),
        })
        if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
        sessionId = ((await response.json()) as { session_id: string }).session_id
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, converse))
}
