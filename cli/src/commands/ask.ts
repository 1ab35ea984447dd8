import { type Command, OK, requireText, UsageError } from '../command.ts'
import { managementClient, SERVER_USAGE, serverOptions } from '../server.ts'

export const ask: Command = {
  name: 'ask',
  summary: 'ask a bot a test question',
  usage: `<question> --bot <id>

Shows the answer, its sources and its confidence. Nothing is stored or counted.

  --bot <id>           the bot (bot_…)
${SERVER_USAGE}`,
  options: { ...serverOptions, bot: { type: 'string' } },

  async run(input, terminal) {
    const message = input.positionals.join(' ').trim()
    if (!message) throw new UsageError('A question is required.')
    const params = { botId: requireText(input, 'bot') }
    const client = managementClient(input, terminal)
    const answer = await client.request('POST /api/manage/v1/bots/{botId}/try', { params, body: { message } })
    terminal.say(answer.response)
    for (const { title, url } of answer.sources) terminal.say(`  ${title}: ${url}`)
    terminal.say(`${answer.answered ? 'answered' : 'not answered'}, confidence ${answer.confidence.toFixed(2)}`)
    terminal.result(answer)
    return OK
  },
}
