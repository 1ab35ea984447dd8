// Limits concurrent requests per host and the delay between them.
const MAX_HOSTS = 1000

export interface HostGate {
  /** Waits for its turn, then runs. Aborting the signal ends the wait. */
  run<T>(host: string, delayMs: number, signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

interface Host {
  active: number
  freeAt: number
  waiting: (() => void)[]
}

export function openHostGate(maxAtOnce: number): HostGate {
  const hosts = new Map<string, Host>()

  return {
    async run(name, delayMs, signal, work) {
      if (hosts.size > MAX_HOSTS) for (const [key, { active }] of hosts) if (active === 0) hosts.delete(key)
      const host = hosts.get(name) ?? { active: 0, freeAt: 0, waiting: [] }
      hosts.set(name, host)
      if (host.active >= maxAtOnce) await turnOf(host, signal)
      else host.active++
      try {
        const now = performance.now()
        const startAt = Math.max(now, host.freeAt)
        host.freeAt = startAt + delayMs
        if (startAt > now) await pause(startAt - now, signal)
        signal.throwIfAborted()
        return await work()
      } finally {
        const next = host.waiting.shift()
        if (next) next()
        else host.active--
      }
    },
  }
}

/** Aborted waits use no turn. */
function turnOf(host: Host, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const begin = () => {
      signal.removeEventListener('abort', leave)
      resolve()
    }
    const leave = () => {
      host.waiting.splice(host.waiting.indexOf(begin), 1)
      reject(signal.reason)
    }
    if (signal.aborted) return reject(signal.reason)
    host.waiting.push(begin)
    signal.addEventListener('abort', leave, { once: true })
  })
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    signal.addEventListener('abort', finish)
  })
}
