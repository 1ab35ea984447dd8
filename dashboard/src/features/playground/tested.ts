// Whether a bot was tested in this browser. The server does not record anything about the playground.
import { useLocalStorage } from '@mantine/hooks'

const nameOf = (botId: string) => `docent-tested-${botId}`

export function useTested(botId: string): boolean {
  const [isTested] = useLocalStorage({ key: nameOf(botId), defaultValue: false, getInitialValueInEffect: false })
  return isTested
}

export function markTested(botId: string) {
  try {
    localStorage.setItem(nameOf(botId), 'true')
  } catch {
    // Storage may be blocked; then the step stays open.
  }
}
