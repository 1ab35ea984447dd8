// Wakes the workers of other nodes, batching bots over some milliseconds so that a busy node does not signal for every
// message.
const GATHER_MS = 10

export function createWakeWorkers(signal: (text: string) => Promise<void>, onError: (error: unknown) => void) {
  const botIds = new Set<string>()
  return (botId: string) => {
    if (botIds.size === 0)
      setTimeout(() => {
        for (const one of botIds) signal(one).catch(onError)
        botIds.clear()
      }, GATHER_MS).unref()
    botIds.add(botId)
  }
}
