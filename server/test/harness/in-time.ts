// Bounds on time that also hold on a machine whose processors are shared: what is slow by itself is slow each time,
// while the time that others take comes in bursts, even where the processor time of a thread counts it.
import { expect } from 'vitest'

const ATTEMPTS = 5

type Figures = Record<string, number>

/** Each figure has to be below the bound in one of several attempts, of which the first that is enough is the last. */
export async function expectBelow(
  bound: number,
  measure: (attempt: number) => number | Figures | Promise<number | Figures>,
): Promise<void> {
  const least: Figures = {}
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const measured = await measure(attempt)
    const figures = typeof measured === 'number' ? { measured } : measured
    for (const [name, figure] of Object.entries(figures)) least[name] = Math.min(figure, least[name] ?? figure)
    if (Object.values(least).every((figure) => figure < bound)) return
  }
  expect.fail(`not below ${bound} in ${ATTEMPTS} attempts, at best: ${JSON.stringify(least)}`)
}

/** For what either holds or does not, such as who of two is first. */
export async function expectOnce(holds: (attempt: number) => Promise<void>): Promise<void> {
  for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
    try {
      return await holds(attempt)
    } catch {
      // By what else the machine does; the last attempt tells what is wrong.
    }
  }
  await holds(ATTEMPTS)
}

export async function msOf(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
