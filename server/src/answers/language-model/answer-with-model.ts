// Has a language model answer from the passages. Never throws on provider errors: a failure returns a reason, and the
// caller falls back to the built-in composer.
import { approximateTokens } from './budget.ts'
import { addValid, createShownText, createTextCleaner, readModelStream } from './output.ts'
import { buildPrompt } from './prompt.ts'
import { createFailureCause, isUsable, noUsage, prepareModel, startDeadline } from './provider.ts'
import { createReportReader } from './report.ts'
import type { FailureCause, ModelAnswer, ModelDeps, ModelFailure, ModelOutcome, ModelQuestion, Usage } from './types.ts'

export async function answerWithModel(input: ModelQuestion, deps: ModelDeps): Promise<ModelAnswer | ModelFailure> {
  const { settings } = input
  const prompt = buildPrompt(input)
  const none = { text: '', usedPassages: [], usedProducts: [], outcome: 'not_found' as const }
  if (prompt.passageCount + prompt.productCount === 0) {
    return { ...none, isReported: false, usage: noUsage, finish: 'not_asked' }
  }
  const required = settings.citations === 'required'
  const shown = createShownText(required, deps.onText)
  const counts = { passages: prompt.passageCount, products: prompt.productCount }
  const cleaner = createTextCleaner(counts, (url) => isNamedIn(input, url))
  const report = createReportReader()
  let received = ''

  const isGrounded = () => cleaner.used.length + cleaner.usedProducts.length > 0
  const show = (text: string) => {
    if (report.outcome() === 'not_found' && !isGrounded()) return
    shown.add(text)
    if (isGrounded()) shown.release()
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
      show(cleaner.push(report.push(delta)))
      return 'go_on'
    })
    if ('failed' in end) return fail(end, received === '' && isUnbilled(end) ? noUsage : estimate())
    show(cleaner.push(report.end()) + cleaner.end())
    const usage = end.usage ?? estimate()
    const reported = report.outcome()
    if (reported === 'not_found' && !isGrounded()) {
      return { ...none, isReported: true, usage, finish: end.finish }
    }
    if (received.trim() === '') return fail(createFailureCause('empty'), usage)
    // The report names the ones to show; others may be cited as not fitting.
    const reportedProducts: number[] = []
    addValid(reportedProducts, report.products(), counts.products)
    const usedProducts = reportedProducts.length > 0 ? reportedProducts : cleaner.usedProducts
    // A card shows where its statement comes from.
    if (required && !isGrounded()) {
      if (usedProducts.length === 0) return fail(createFailureCause('not_grounded'), usage)
      shown.release()
    }
    if (shown.text() === '') return fail(createFailureCause('empty'), usage)
    if (end.finish === 'length') shown.add(' …')
    return {
      text: shown.text(),
      usedPassages: cleaner.used,
      usedProducts,
      outcome: outcomeOf(reported),
      isReported: reported !== null,
      usage,
      finish: end.finish,
    }
  } finally {
    deadline.stop()
  }
}

/** After a cited statement, "not found" can only mean that a part is missing. */
function outcomeOf(reported: ModelOutcome | null): ModelOutcome {
  return reported === 'not_found' ? 'partly' : (reported ?? 'answered')
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
