// The state of the password prompt. Actions waiting at the same time share one prompt.
let waiting: ((isConfirmed: boolean) => void)[] = []
const listeners = new Set<() => void>()

export const isPromptOpen = (): boolean => waiting.length > 0

export function subscribeToPrompt(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Resolves with false if the prompt is cancelled. */
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
