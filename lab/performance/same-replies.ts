// node_modules/.bin/node lab/performance/same-replies.ts [--questions 100]: does a busy machine change the answers? Asks the
// demo and the dialogues the same questions as the machine is and beside two busy loops, and counts the same replies.
import { spawn } from 'node:child_process'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { askQuery } from '../evaluation/ask-query.ts'
import { readDemoSet } from '../evaluation/demo-set.ts'
import { readDialogueSets } from '../evaluation/dialogue-set.ts'
import { createEvalBot } from '../evaluation/eval-bot.ts'
import { startEvalModels } from '../evaluation/eval-models.ts'
import type { EvalSet } from '../evaluation/eval-set.ts'

const BUSY_LOOPS = 2

const { values } = parseArgs({ options: { questions: { type: 'string', default: '100' } } })
const most = Number(values.questions)
const sets = [readDemoSet(), ...readDialogueSets()].map((set): EvalSet => {
  // Histories are left out: one different reply would change all that follow.
  const queries = set.queries.filter(({ earlier, after }) => !earlier?.length && !after)
  return { ...set, queries }
})

const before = await askAll()
const loops = Array.from({ length: BUSY_LOOPS }, () => spawn(process.execPath, ['-e', 'for (;;) {}']))
const after = await askAll().finally(() => {
  for (const loop of loops) loop.kill()
})
const same = before.replies.filter((reply, at) => reply === after.replies[at]).length
console.log(`the same replies: ${same} of ${before.replies.length}`)
for (const [name, run] of Object.entries({ 'without busy loops': before, [`with ${BUSY_LOOPS}`]: after }))
  console.log(
    `${name}: median ${run.ms} ms, ${run.perSecond.toFixed(1)} questions a second, load ${run.load.toFixed(1)} at the end`,
  )

async function askAll() {
  // New models each time: they remember what they have read.
  const models = await startEvalModels(undefined)
  const replies: string[] = []
  const times: number[] = []
  for (const set of sets) {
    const bot = await createEvalBot(set.name, set.corpus, models)
    const knowledge = await bot.knowledge()
    for (const query of set.queries.slice(0, Math.ceil(most / sets.length))) {
      const { answer, ms } = await askQuery(query, undefined, bot.voice, knowledge)
      replies.push(answer.text)
      times.push(ms)
    }
    await bot.close()
  }
  await models.close()
  const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
  const perSecond = (1000 * times.length) / times.reduce((sum, ms) => sum + ms, 0)
  return { replies, ms: Math.round(median), perSecond, load: loadavg()[0] ?? 0 }
}
