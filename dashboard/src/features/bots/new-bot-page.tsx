import type { Bot } from '@docent/contract'
import { SCREENS, screenPath } from '@docent/contract/screens'
import { Button } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useTexts } from '../../texts/texts.tsx'
import { LoadError, LoadingRows } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { FirstContent } from './first-content.tsx'
import { FirstQuestions } from './first-questions.tsx'
import { texts } from './new-bot-texts.ts'
import { StartStep } from './start-step.tsx'
import '../../styles/new-bot.css'
import { useEffect, useState } from 'react'
import { useApiList, useApiQuery } from '../../api.ts'
import { crawlPollInterval, isCrawlRunning } from '../websites/crawl-state.tsx'
import { indexingInterval } from './use-bot.ts'

const POLL_MS = 1500

interface WizardSearch {
  bot?: string
  step?: number
}

/**
 * From a website, or a name and content, to a bot that answers. A website that is read is content enough, so it leads
 * straight to the last step. The step is in the URL, so that it survives a reload.
 */
export function NewBotPage() {
  const { bots } = useTexts()
  const { bot: botId = '', step = 2 } = useSearch({ strict: false }) as WizardSearch
  const navigate = useNavigate()
  const { botQuery, crawls, isCrawling } = useNewBot(botId)
  const bot = botId === '' ? undefined : botQuery.data
  const now = botId === '' ? 1 : step === 3 ? 3 : 2
  // Replace the form in the history, because going back to it would create a second bot.
  const goTo = (place: WizardSearch) => navigate({ to: SCREENS.newBot, search: place as never, replace: botId === '' })
  const onCreated = ({ id }: Bot, hasContent: boolean) => goTo({ bot: id, step: hasContent ? 3 : 2 })
  return (
    <Page title={bot?.name ?? texts.title} about={texts.step(now)} back={{ to: SCREENS.bots, label: bots.title }}>
      <ol className="steps" aria-hidden="true">
        {[1, 2, 3].map((each) => (
          <li key={each} data-done={each <= now || undefined} />
        ))}
      </ol>
      {botId === '' ? (
        <StartStep onCreated={onCreated} />
      ) : botQuery.error ? (
        <LoadError error={botQuery.error} onRetry={() => botQuery.refetch()} />
      ) : !bot || crawls.isPending ? (
        <LoadingRows />
      ) : now === 2 ? (
        <FirstContent bot={bot} crawls={crawls.items} onNext={() => goTo({ bot: bot.id, step: 3 })} />
      ) : (
        <>
          <FirstQuestions
            bot={bot}
            crawls={crawls.items}
            isCrawling={isCrawling}
            onAddContent={() => goTo({ bot: bot.id, step: 2 })}
          />
          <div className="form-end">
            <Button component={Link} to={screenPath('bot', { botId: bot.id })}>
              {texts.finish}
            </Button>
          </div>
        </>
      )}
    </Page>
  )
}

/** A bot and its crawls, polled until everything is indexed. */
function useNewBot(botId: string) {
  const params = { botId }
  const enabled = botId !== ''
  const crawls = useApiList(
    'GET /api/manage/v1/bots/{botId}/crawls',
    { params },
    { enabled, refetchInterval: crawlPollInterval },
  )
  const isCrawling = crawls.items.some(isCrawlRunning)
  const botQuery = useApiQuery(
    'GET /api/manage/v1/bots/{botId}',
    { params },
    { enabled, refetchInterval: (bot) => (isCrawling || isBlank(bot as Bot) ? POLL_MS : indexingInterval(bot)) },
  )
  // A bot can be ready between two pages of a crawl, so only data loaded after the crawls ended counts.
  const [isStale, setStale] = useState(false)
  useEffect(() => {
    if (isCrawling) return setStale(true)
    if (!isStale) return
    let isOver = false
    void botQuery.refetch().then(() => isOver || setStale(false))
    return () => {
      isOver = true
    }
  }, [isCrawling])
  return { botQuery, crawls, isCrawling: isCrawling || isStale }
}

function isBlank({ knowledge: { documents, products } }: Bot): boolean {
  return documents + products === 0
}
