// Tells the workers of other nodes that something waits: the bots of some milliseconds at once, so that a busy node does
// not signal for every turn.
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
