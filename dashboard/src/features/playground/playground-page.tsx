import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../texts/texts.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { useBotId } from '../bots/use-bot.ts'
import { AnswerDetails } from './answer-details.tsx'
import { TryChat, type TryTurn } from './try-chat.tsx'

export function PlaygroundPage() {
  const { playground: texts } = useTexts()
  const botId = useBotId()
  const [turns, setTurns] = useState<TryTurn[]>([])
  const [chosenIndex, setChosenIndex] = useState(0)
  const turn = turns[chosenIndex]
  const add = (fresh: TryTurn) => {
    setTurns([...turns, fresh])
    setChosenIndex(turns.length)
  }
  return (
    <Page
      wide
      title={texts.title}
      about={texts.about}
      actions={
        turns.length > 0 && (
          <Button variant="default" leftSection={<Icon name="refresh" size={16} />} onClick={() => setTurns([])}>
            {texts.clear}
          </Button>
        )
      }
    >
      <div className={turn ? 'playground' : ''}>
        <TryChat botId={botId} turns={turns} onTurn={add} chosen={chosenIndex} onChoose={setChosenIndex} />
        {turn && <AnswerDetails key={chosenIndex} botId={botId} turn={turn} />}
      </div>
    </Page>
  )
}
