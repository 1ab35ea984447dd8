import type { TestRunResults } from '@docent/contract'
import {
  type Command,
  type CommandInput,
  FAILED,
  OK,
  requireWord,
  type Terminal,
  text,
  UsageError,
} from '../command.ts'
import { allItems, BOT_USAGE, botOptions, type Server, serverOf } from '../server.ts'

const POLL_MS = 500
const QUESTIONS = '/api/manage/v1/bots/{botId}/test-questions'

export const testQuestions: Command = {
  name: 'test-questions',
  summary: 'save questions with their expected answers, and run them',
  usage: `[run | add <question> | delete <id>] --bot <id>

Without an action, lists the questions with their last results. "run" asks all of them and exits with 1 if one got worse:
it fails, but passed before.

  --text <words>       add: what the reply must contain
  --source <url>       add: a page, or the id of a document, that the reply must cite
  --strict             run: exit with 1 if any question fails
${BOT_USAGE}`,
  options: { ...botOptions, text: { type: 'string' }, source: { type: 'string' }, strict: { type: 'boolean' } },

  async run(input, terminal) {
    const [action = 'list'] = input.positionals
    const server = serverOf(input, terminal)
    const { client, botId } = server
    switch (action) {
      case 'list': {
        const items = await allItems((query) => client.request(`GET ${QUESTIONS}`, { params: { botId }, query }))
        for (const { id, question, outcome } of items) terminal.say(`${id}  ${outcome ?? 'not run'}  ${question}`)
        terminal.result(items)
        return OK
      }
      case 'add': {
        const body = {
          question: requireWord(input, 'a question'),
          expected_text: text(input, 'text') ?? null,
          expected_source: text(input, 'source') ?? null,
        }
        const question = await client.request(`POST ${QUESTIONS}`, { params: { botId }, body })
        terminal.say(`${question.id}  ${question.question}`)
        terminal.result(question)
        return OK
      }
      case 'delete': {
        const questionId = requireWord(input, 'the id of the question')
        await client.request(`DELETE ${QUESTIONS}/{questionId}`, { params: { botId, questionId } })
        terminal.say(`${questionId} is deleted.`)
        return OK
      }
      case 'run':
        return runQuestions(server, input, terminal)
      default:
        throw new UsageError(`Unknown command "docent test-questions ${action}".`)
    }
  },
}

async function runQuestions({ client, botId }: Server, input: CommandInput, terminal: Terminal): Promise<number> {
  const startedRun = await client.request('POST /api/manage/v1/bots/{botId}/test-runs', { params: { botId } })
  const read = () =>
    client.request('GET /api/manage/v1/bots/{botId}/test-runs/{runId}', { params: { botId, runId: startedRun.id } })
  let run: TestRunResults = await read()
  const bar = terminal.progress()
  while (run.state !== 'finished') {
    bar.show(run.done, run.total, 'test questions')
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    run = await read()
  }
  bar.end()
  for (const { outcome, question, reply, before } of run.results) {
    if (outcome === 'passed') continue
    terminal.say(`${outcome}  ${question}`)
    if (before) terminal.say(`  before: ${oneLine(before.reply)}`)
    terminal.say(`  now:    ${oneLine(reply)}`)
  }
  terminal.say(`${run.passed} of ${run.total} passed, ${run.worse} got worse, ${run.better} got better.`)
  terminal.result(run)
  return run.worse > 0 || (input.values.strict === true && run.failed > 0) ? FAILED : OK
}

function oneLine(reply: string): string {
  return reply.replace(/\s+/g, ' ').slice(0, 300)
}
