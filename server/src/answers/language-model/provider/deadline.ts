// One signal for everything that can end a call early, with the reason.
export type CutReason = 'aborted' | 'first_token_timeout' | 'timeout'

export interface Deadline {
  signal: AbortSignal
  reason(): CutReason | null
  /** The first token arrived; from now on only the total timeout applies. */
  onFirstToken(): void
  /** Ends the call and closes the connection. */
  stop(): void
}

export function startDeadline(firstTokenTimeoutMs: number, timeoutMs: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController()
  let reason: CutReason | null = null
  const cut = (why: CutReason) => {
    if (controller.signal.aborted) return
    reason = why
    controller.abort()
  }
  const first = setTimeout(cut, firstTokenTimeoutMs, 'first_token_timeout')
  const whole = setTimeout(cut, timeoutMs, 'timeout')
  const onAbort = () => cut('aborted')
  if (outer?.aborted) onAbort()
  outer?.addEventListener('abort', onAbort, { once: true })
  return {
    signal: controller.signal,
    reason: () => reason,
    onFirstToken: () => clearTimeout(first),
    stop() {
      clearTimeout(first)
      clearTimeout(whole)
      outer?.removeEventListener('abort', onAbort)
      controller.abort()
    },
  }
}
