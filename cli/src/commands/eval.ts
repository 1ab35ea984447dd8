import { readFileSync } from 'node:fs'
import { type Command, FAILED, OK, requireText, text, UsageError } from '../command.ts'
import { managementClient, SERVER_USAGE, serverOptions } from '../server.ts'

interface Question {
  text: string
  answers?: string[]
  answerable?: boolean
  history?: { role: 'user' | 'assistant'; text: string }[]
}

export const evalCommand: Command = {
  name: 'eval',
  summary: 'measure a bot on questions with known answers',
  usage: `<queries.jsonl> --bot <id>

One question per line: {"text": "…", "answers": ["30 days"], "answerable": true}. A question is right when the reply contains one
of "answers" (ignoring case), or, with "answerable": false, when the bot does not answer. docs/guides/evaluating.md
describes more measures.

  --bot <id>           the bot (bot_…)
  --least <share>      exit code 1 when fewer are right, for example 0.8
${SERVER_USAGE}`,
  options: { ...serverOptions, bot: { type: 'string' }, least: { type: 'string' } },

  async run(input, terminal) {
    const [file, ...others] = input.positionals
    if (!file || others.length > 0) throw new UsageError('Give one file of questions.')
    const params = { botId: requireText(input, 'bot') }
    const least = Number(text(input, 'least') ?? 0)
    if (!(least >= 0 && least <= 1)) throw new UsageError('--least must be a number from 0 to 1.')
    const questions = readQuestions(file)
    const client = managementClient(input, terminal)
    const bar = terminal.progress()
    const wrong: { question: string; response: string; confidence: number }[] = []
    let answeredCount = 0
    for (const [index, question] of questions.entries()) {
      bar.show(index, questions.length, question.text)
      const body = { message: question.text, ...(question.history ? { history: question.history } : {}) }
      const reply = await client.request('POST /api/manage/v1/bots/{botId}/try', { params, body })
      if (reply.answered) answeredCount++
      if (!isRight(question, reply))
        wrong.push({ question: question.text, response: reply.response, confidence: reply.confidence })
    }
    bar.end()
    const right = questions.length - wrong.length
    const share = right / questions.length
    terminal.say(`${right} of ${questions.length} right (${(share * 100).toFixed(1)} %), ${answeredCount} answered`)
    for (const { question, response } of wrong)
      terminal.say(`  ${question}\n    ${response.replaceAll('\n', '\n    ')}`)
    terminal.result({ questions: questions.length, right, answered: answeredCount, share, wrong })
    return share >= least ? OK : FAILED
  },
}

function readQuestions(file: string): Question[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  const questions = lines.flatMap((line, index): Question[] => {
    if (line.trim() === '') return []
    try {
      const question = JSON.parse(line) as Question
      if (typeof question.text === 'string') return [question]
    } catch {
      // Reported below.
    }
    throw new Error(`Line ${index + 1} of ${file} is not a question such as {"text": "…"}.`)
  })
  if (questions.length === 0) throw new Error(`${file} has no questions.`)
  return questions
}

function isRight({ answers, answerable }: Question, reply: { answered: boolean; response: string }): boolean {
  if (answerable === false) return !reply.answered
  const response = reply.response.toLowerCase()
  return reply.answered && (!answers || answers.some((answer) => response.includes(answer.toLowerCase())))
}
