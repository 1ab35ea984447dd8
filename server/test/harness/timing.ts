// Time limits that hold on shared machines: code that is slow is slow on every attempt, while load from other processes
// comes in bursts, which can inflate even a thread's CPU time.
import { expect } from 'vitest'

const ATTEMPTS = 5

type Figures = Record<string, number>

/** Each figure has to be below the bound in at least one attempt. Stops as soon as all are. */
export async function expectBelow(
  bound: number,
  measure: (attempt: number) => number | Figures | Promise<number | Figures>,
): Promise<void> {
  const least: Figures = {}
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const measurement = await measure(attempt)
    const figures = typeof measurement === 'number' ? { measured: measurement } : measurement
    for (const [name, figure] of Object.entries(figures)) least[name] = Math.min(figure, least[name] ?? figure)
    if (Object.values(least).every((figure) => figure < bound)) return
  }
  expect.fail(`not below ${bound} in ${ATTEMPTS} attempts, at best: ${JSON.stringify(least)}`)
}

/** For assertions without a figure, such as which of two finishes first. */
export async function expectInOneAttempt(check: (attempt: number) => Promise<void>): Promise<void> {
  for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
    try {
      return await check(attempt)
    } catch {
      // Perhaps other load on the machine; the last attempt reports its error.
    }
  }
  await check(ATTEMPTS)
}

export async function measureMs(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
