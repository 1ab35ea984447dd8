// Whether somebody has asked a bot a question in this browser. Nothing of the playground is recorded by the server.
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
    // Browsers may keep nothing; then the step stays open.
  }
}
