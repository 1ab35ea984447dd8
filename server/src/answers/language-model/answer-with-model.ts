// Has a language model answer from the passages. Never throws on provider errors: a failure returns a reason, and the
// caller falls back to the built-in composer.

import { addValid, makeShownText, makeTextCleaner, readModelStream } from './output.ts'
import { approximateTokens, buildPrompt } from './prompt.ts'
import { isUsable, makeFailureCause, noUsage, prepareModel, startDeadline } from './provider.ts'
import { makeReportReader } from './report.ts'
import type { FailureCause, ModelAnswer, ModelDeps, ModelFailure, ModelOutcome, ModelQuestion, Usage } from './types.ts'

export async function answerWithModel(input: ModelQuestion, deps: ModelDeps): Promise<ModelAnswer | ModelFailure> {
  const { settings } = input
  const prompt = buildPrompt(input)
  const none = { text: '', usedPassages: [], usedProducts: [], outcome: 'not_found' as const }
  if (prompt.passageCount + prompt.productCount === 0 && !prompt.tools) {
    return { ...none, isReported: false, usage: noUsage, finish: 'not_asked' }
  }
  const mustCite = settings.citations === 'required'
  const shownText = makeShownText(mustCite, deps.onText)
  const counts = { passages: prompt.passageCount, products: prompt.productCount }
  const cleaner = makeTextCleaner(counts, (url) => isNamedIn(input, url))
  const report = makeReportReader()
  let receivedText = ''

  const isGrounded = () => cleaner.used.length + cleaner.usedProducts.length > 0
  const show = (text: string) => {
    if (report.outcome() === 'not_found' && !isGrounded()) return
    shownText.add(text)
    if (isGrounded()) shownText.release()
  }
  const estimate = (): Usage => ({
    inputTokens: prompt.approximateTokens,
    outputTokens: approximateTokens(receivedText),
    estimated: true,
  })
  const fail = (why: FailureCause, usage: Usage): ModelFailure => ({
    ...why,
    partial: shownText.text() !== '',
    text: shownText.text(),
    usedPassages: cleaner.used,
    usage,
  })

  if (!isUsable(settings.provider)) return fail(makeFailureCause('misconfigured'), noUsage)
  const ask = await prepareModel(settings, deps.fetch)
  const deadline = startDeadline(settings.firstTokenTimeoutMs, settings.timeoutMs, deps.signal)
  try {
    if (deadline.signal.aborted) return fail(makeFailureCause('aborted'), noUsage)
    const end = await readModelStream(ask(prompt, deadline.signal), deadline, (delta) => {
      receivedText += delta
      if (receivedText.length > settings.maxCharacters) return 'too_long'
      show(cleaner.push(report.push(delta)))
      return 'go_on'
    })
    if ('failed' in end) return fail(end, receivedText === '' && isUnbilled(end) ? noUsage : estimate())
    show(cleaner.push(report.end()) + cleaner.end())
    const usage = end.usage ?? estimate()
    const { call, finish } = end
    if (call && prompt.tools?.some(({ name }) => name === call.name)) {
      return { ...none, text: shownText.text(), usedPassages: cleaner.used, isReported: true, call, usage, finish }
    }
    const reportedOutcome = report.outcome()
    if (reportedOutcome === 'not_found' && !isGrounded()) {
      // What was streamed stays.
      return { ...none, text: shownText.text(), isReported: true, usage, finish }
    }
    if (receivedText.trim() === '') return fail(makeFailureCause('empty'), usage)
    // The report names the ones to show; others may be cited as not fitting.
    const reportedProducts: number[] = []
    addValid(reportedProducts, report.products(), counts.products)
    const usedProducts = reportedProducts.length > 0 ? reportedProducts : cleaner.usedProducts
    // A card shows where its statement comes from.
    if (mustCite && !isGrounded()) {
      if (usedProducts.length === 0) return fail(makeFailureCause('not_grounded'), usage)
      shownText.release()
    }
    if (shownText.text() === '') return fail(makeFailureCause('empty'), usage)
    if (finish === 'length') shownText.add(' …')
    return {
      text: shownText.text(),
      usedPassages: cleaner.used,
      usedProducts,
      outcome: outcomeOf(reportedOutcome),
      isReported: reportedOutcome !== null,
      usage,
      finish,
    }
  } finally {
    deadline.stop()
  }
}

/** After a cited statement, "not found" can only mean that a part is missing. */
function outcomeOf(reportedOutcome: ModelOutcome | null): ModelOutcome {
  return reportedOutcome === 'not_found' ? 'partly' : (reportedOutcome ?? 'answered')
}

/** Rejects URLs the model made up, possibly by an injected instruction to leak data. */
function isNamedIn({ passages, products }: ModelQuestion, url: string): boolean {
  if (!/^(?:https?:\/\/.|mailto:.|tel:.)/i.test(url)) return false
  // Content often omits the scheme.
  const name = url.replace(/^https?:\/\/(?=www\..)/i, '')
  return (
    passages.some((passage) => passage.url === url || passage.text.includes(name)) ||
    products.some((product) => product.url === url || product.facts.includes(name))
  )
}

/** The request failed before the model did any work, so nothing is billed. */
function isUnbilled({ failed, status }: FailureCause): boolean {
  return status !== null || failed === 'connection'
}
