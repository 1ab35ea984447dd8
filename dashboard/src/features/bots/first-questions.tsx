import type { Bot, Crawl } from '@docent/contract'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TryChat, type TryTurn } from '../playground/try-chat.tsx'
import { CrawlProgress, isCrawlRunning } from '../websites/crawl-state.tsx'
import { IndexingProgress } from './indexing-progress.tsx'
import { Snippet } from './snippet.tsx'

export interface FirstQuestionsProps {
  bot: Bot
  crawls: Crawl[]
  /** Stays true until the bot was loaded after the last crawl. */
  isCrawling: boolean
}

/**
 * The first test waits until everything is indexed, because an answer that changes a minute later makes a bad first
 * impression.
 */
export function FirstQuestions({ bot, crawls, isCrawling }: FirstQuestionsProps) {
  const { newBot: words } = useTexts()
  const [turns, setTurns] = useState<TryTurn[]>([])
  const [isSkipped, setSkipped] = useState(false)
  const running = crawls.filter(isCrawlRunning)
  const { documents, products, status } = bot.knowledge
  // A crawl reports its pages slightly before the bot counts them.
  const isCountPending = documents + products === 0 && crawls.some(({ pages }) => pages.done > 0)
  const isIndexing = isCrawling || status === 'indexing' || isCountPending
  return (
    <>
      <Card title={words.tryTitle} about={words.tryAbout}>
        {isIndexing && (
          <Notice title={words.learningTitle}>
            {running.map((crawl) => (
              <CrawlProgress key={crawl.id} crawl={crawl} />
            ))}
            <IndexingProgress bot={bot} />
            {!isSkipped && turns.length === 0 && (
              <Button variant="default" size="compact-sm" onClick={() => setSkipped(true)}>
                {words.askNow}
              </Button>
            )}
          </Notice>
        )}
        {documents + products === 0 && !isIndexing && <Notice tone="warn">{words.nothingLearnt}</Notice>}
        {(!isIndexing || isSkipped || turns.length > 0) && (
          <TryChat botId={bot.id} turns={turns} onTurn={(turn) => setTurns([...turns, turn])} />
        )}
      </Card>
      <Card title={words.snippet}>
        <Snippet botId={bot.id} />
      </Card>
    </>
  )
}
