import type { Bot } from '@docent/contract'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useList } from '../../api.ts'
import { useMessages } from '../../messages/messages.tsx'
import { Card } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type TriedTurn, TryChat } from '../playground/try-chat.tsx'
import { CrawlProgress, isUnderWay, whileUnderWay } from '../websites/crawl-state.tsx'
import { Learning } from './learning.tsx'
import { Snippet } from './snippet.tsx'

/** The first test waits until all is learnt: an answer that changes a minute later would be a bad first impression. */
export function FirstQuestions({ bot }: { bot: Bot }) {
  const { newBot: words } = useMessages()
  const [turns, setTurns] = useState<TriedTurn[]>([])
  const [isImpatient, setImpatient] = useState(false)
  const params = { botId: bot.id }
  const crawls = useList('GET /api/manage/v1/bots/{botId}/crawls', { params }, { every: whileUnderWay })
  const running = crawls.items.filter(isUnderWay)
  const { documents, products, status } = bot.knowledge
  // The website is known to be read a moment before the bot is known to have its pages.
  const isReadAlready = documents + products === 0 && crawls.items.some(({ pages }) => pages.done > 0)
  const isLearning = running.length > 0 || status === 'indexing' || isReadAlready
  return (
    <>
      <Card title={words.tryTitle} about={words.tryAbout}>
        {isLearning && (
          <Notice title={words.learningTitle}>
            {running.map((crawl) => (
              <CrawlProgress key={crawl.id} crawl={crawl} />
            ))}
            <Learning bot={bot} />
            {!isImpatient && turns.length === 0 && (
              <Button variant="default" size="compact-sm" onClick={() => setImpatient(true)}>
                {words.askNow}
              </Button>
            )}
          </Notice>
        )}
        {documents + products === 0 && !isLearning && <Notice tone="warn">{words.nothingLearnt}</Notice>}
        {(!isLearning || isImpatient || turns.length > 0) && (
          <TryChat botId={bot.id} turns={turns} onTurn={(turn) => setTurns([...turns, turn])} />
        )}
      </Card>
      <Card title={words.snippet}>
        <Snippet botId={bot.id} />
      </Card>
    </>
  )
}
