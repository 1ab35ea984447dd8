// Whether somebody is being asked for their password, and who waits for it. Several actions at once wait for one answer.
let waiting: ((isGiven: boolean) => void)[] = []
const hearers = new Set<() => void>()

export const askedForProof = (): boolean => waiting.length > 0

export function hearAsking(hear: () => void): () => void {
  hearers.add(hear)
  return () => hearers.delete(hear)
}

/** Resolves to false when the person does not want to. */
export function askForProof(): Promise<boolean> {
  return new Promise((resolve) => {
    waiting = [...waiting, resolve]
    for (const hear of hearers) hear()
  })
}

export function endAsking(isGiven: boolean) {
  const all = waiting
  waiting = []
  for (const resolve of all) resolve(isGiven)
  for (const hear of hearers) hear()
}
