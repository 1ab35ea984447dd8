// Has a language model answer from the passages. Never throws on provider errors: a failure returns a reason, and the
// caller falls back to the built-in composer.
import { approximateTokens } from './budget.ts'
import { createShownText, createTextCleaner, readModelStream } from './output.ts'
import { buildPrompt, NO_ANSWER } from './prompt.ts'
import { createFailureCause, isUsable, noUsage, prepareModel, startDeadline } from './provider.ts'
import type { FailureCause, ModelAnswer, ModelDeps, ModelFailure, ModelPassage, ModelQuestion, Usage } from './types.ts'

export async function answerWithModel(input: ModelQuestion, deps: ModelDeps): Promise<ModelAnswer | ModelFailure> {
  const { settings, passages } = input
  const prompt = buildPrompt(input)
  if (prompt.passageCount === 0) {
    return { text: '', usedPassages: [], answered: false, usage: noUsage, finish: 'not_asked' }
  }
  const required = settings.citations === 'required'
  const shown = createShownText(required, deps.onText)
  const cleaner = createTextCleaner(prompt.passageCount, (url) => isNamedIn(passages, url))
  let received = ''

  const show = (text: string) => {
    if (cleaner.saysNoAnswer()) return
    shown.add(text)
    if (cleaner.used.length > 0) shown.release()
  }
  const estimate = (): Usage => ({
    inputTokens: prompt.approximateTokens,
    outputTokens: approximateTokens(received),
    estimated: true,
  })
  const fail = (why: FailureCause, usage: Usage): ModelFailure => ({
    ...why,
    partial: shown.text() !== '',
    text: shown.text(),
    usedPassages: cleaner.used,
    usage,
  })

  if (!isUsable(settings.provider)) return fail(createFailureCause('misconfigured'), noUsage)
  const ask = await prepareModel(settings, deps.fetch)
  const deadline = startDeadline(settings.firstTokenTimeoutMs, settings.timeoutMs, deps.signal)
  try {
    if (deadline.signal.aborted) return fail(createFailureCause('aborted'), noUsage)
    const end = await readModelStream(ask(prompt, deadline.signal), deadline, (delta) => {
      received += delta
      if (received.length > settings.maxCharacters) return 'too_long'
      show(cleaner.push(delta))
      return 'go_on'
    })
    if ('failed' in end) return fail(end, received === '' && isUnbilled(end) ? noUsage : estimate())
    show(cleaner.end())
    const usage = end.usage ?? estimate()
    // The second test is for a marker formatted as code, which the cleaner leaves alone.
    if (cleaner.saysNoAnswer() || (cleaner.used.length === 0 && received.includes(NO_ANSWER))) {
      return { text: shown.text(), usedPassages: [], answered: false, usage, finish: end.finish }
    }
    if (received.trim() === '') return fail(createFailureCause('empty'), usage)
    if (required && cleaner.used.length === 0) return fail(createFailureCause('not_grounded'), usage)
    if (shown.text() === '') return fail(createFailureCause('empty'), usage)
    if (end.finish === 'length') shown.add(' …')
    return { text: shown.text(), usedPassages: cleaner.used, answered: true, usage, finish: end.finish }
  } finally {
    deadline.stop()
  }
}

/** Rejects URLs the model made up, possibly by an injected instruction to leak data. */
function isNamedIn(passages: readonly ModelPassage[], url: string): boolean {
  if (!/^(?:https?:\/\/.|mailto:.|tel:.)/i.test(url)) return false
  // Content often omits the scheme.
  const name = url.replace(/^https?:\/\/(?=www\..)/i, '')
  return passages.some((passage) => passage.url === url || passage.text.includes(name))
}

/** The request failed before the model did any work, so nothing is billed. */
function isUnbilled({ failed, status }: FailureCause): boolean {
  return status !== null || failed === 'connection'
}
