// Whether somebody is being asked for their password, and who waits for it. Several actions at once wait for one answer.
let waiting: ((isConfirmed: boolean) => void)[] = []
const listeners = new Set<() => void>()

export const isPromptOpen = (): boolean => waiting.length > 0

export function subscribeToPrompt(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Resolves to false when the person does not want to. */
export function promptForPassword(): Promise<boolean> {
  return new Promise((resolve) => {
    waiting = [...waiting, resolve]
    for (const listener of listeners) listener()
  })
}

export function closePrompt(isConfirmed: boolean) {
  const all = waiting
  waiting = []
  for (const resolve of all) resolve(isConfirmed)
  for (const listener of listeners) listener()
}
