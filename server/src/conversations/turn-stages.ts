// Measures the stages of a turn at the boundaries between modules, so that no module needs a clock.
import type { AnswerModel, Knowledge } from '../answers/types.ts'
import type { Context } from '../context.ts'

/** `answer` includes all but the first and the last. */
type Stage = 'history' | 'answer' | 'index' | 'search' | 'embed' | 'passages' | 'read' | 'restate' | 'model' | 'write'

export type MeasureStage = <T>(stage: Stage, work: () => T) => T

export function makeMeasureStage({ metrics, trace }: Pick<Context, 'metrics' | 'trace'>): MeasureStage {
  return (stage, work) => {
    const start = performance.now()
    const end = () => metrics.observeSeconds('docent_turn_stage_seconds', { stage }, (performance.now() - start) / 1000)
    const result = trace(stage, {}, work)
    if (result instanceof Promise) void result.then(end, end)
    else end()
    return result
  }
}

export function measuredKnowledge(knowledge: Knowledge, measure: MeasureStage): Knowledge {
  const { find, embed, load, read, openProducts } = knowledge
  return {
    ...knowledge,
    find: (query) => measure('search', () => find(query)),
    embed: (text) => measure('embed', () => embed(text)),
    load: (candidates) => measure('passages', () => load(candidates)),
    read: (question, passages) => measure('read', () => read(question, passages)),
    openProducts: openProducts && (() => measure('index', openProducts)),
  }
}

export function measuredModel(model: AnswerModel, measure: MeasureStage): AnswerModel {
  const { generateAnswer, restateQuestion, wordResult } = model
  return {
    generateAnswer: (task, options) => measure('model', () => generateAnswer(task, options)),
    restateQuestion: (task) => measure('restate', () => restateQuestion(task)),
    wordResult: (task, options) => measure('model', () => wordResult(task, options)),
  }
}
