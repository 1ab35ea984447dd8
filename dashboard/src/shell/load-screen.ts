// Screens load on use. While the server restarts, the app stays and waits: the router would reload the page, and the
// user would end on the browser's error page.

const RETRY_MS = 2000
export const CONNECTION_EVENT = 'docent-connection'

/** Tries again once the server answers; a file that is gone then is the router's to report. */
export function loadWhenReachable<T>(load: () => Promise<T>): () => Promise<T> {
  return async () => {
    try {
      return await load()
    } catch {
      await serverAnswers({ tell: (isLost) => dispatchEvent(new CustomEvent(CONNECTION_EVENT, { detail: isLost })) })
      return load()
    }
  }
}

interface Waiting {
  tell?: (isLost: boolean) => void
  signal?: AbortSignal
}

export async function serverAnswers({ tell, signal }: Waiting): Promise<void> {
  while (!signal?.aborted && !(await isReachable())) {
    tell?.(true)
    await pause()
  }
  tell?.(false)
}

export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, RETRY_MS))
}

async function isReachable(): Promise<boolean> {
  try {
    return (await fetch('/livez', { cache: 'no-store' })).ok
  } catch {
    return false
  }
}
