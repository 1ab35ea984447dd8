import type { Bot, Crawl, ProposedQuestions } from '@docent/contract'
import { Button } from '@mantine/core'
import { keepPreviousData, useIsFetching, useQuery } from '@tanstack/react-query'
import { queryClient, reloadQueries, useApiMutation } from '../../api.ts'
import { client } from '../../client.ts'
import { useWidgetBaseUrl } from '../../session.ts'
import { AnswerText } from '../../text/answer-text.tsx'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LoadError, LoadingRows } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { FirstSources } from './first-sources.tsx'
import { texts } from './new-bot-texts.ts'
import { Snippet } from './snippet.tsx'

/** Of a large website, the first questions do not wait for the rest. */
const ENOUGH_DOCUMENTS = 12

interface Props {
  bot: Bot
  crawls: Crawl[]
  /** Stays true until the bot was loaded after the last crawl. */
  isCrawling: boolean
  onAddContent: () => void
}

/** What the bot has read, questions that it answers from it, and the chat as visitors see it. */
export function FirstQuestions({ bot, crawls, isCrawling, onAddContent }: Props) {
  const { documents, products, status } = bot.knowledge
  // A crawl reports its pages slightly before the bot counts them.
  const isCountPending = documents + products === 0 && crawls.some(({ pages }) => pages.done > 0)
  const isLearning = isCrawling || status === 'indexing' || isCountPending
  const isReady = documents > 0 && (!isLearning || documents >= ENOUGH_DOCUMENTS)
  const proposal = useProposedQuestions(bot, { isReady, isPart: isLearning })
  const isEmpty = documents + products === 0 && !isLearning
  return (
    <div className="first-minute">
      <div className="stack">
        <FirstSources bot={bot} crawls={crawls} onAddContent={onAddContent} />
        {isEmpty ? (
          <Notice tone="warn">{texts.nothingRead}</Notice>
        ) : (
          <Card title={texts.questionsTitle} about={texts.questionsAbout}>
            {proposal.data ? (
              <Questions botId={bot.id} questions={proposal.data.questions} />
            ) : proposal.error ? (
              <LoadError error={proposal.error} onRetry={() => proposal.refetch()} />
            ) : (
              <>
                <p className="quiet small" role="status">
                  {isReady ? texts.asking : texts.reading}
                </p>
                <LoadingRows />
              </>
            )}
          </Card>
        )}
        <Card title={texts.snippet}>
          <Snippet botId={bot.id} />
        </Card>
      </div>
      {/* Opened once the questions are saved, so that it never opens empty. */}
      {(proposal.data || proposal.isFetched || isEmpty) && <ChatPage botId={bot.id} />}
    </div>
  )
}

/**
 * Asks for them once the bot can answer, and again when it has read everything. Visitors see them, unless the bot has
 * questions of its owner's.
 */
function useProposedQuestions(bot: Bot, { isReady, isPart }: { isReady: boolean; isPart: boolean }) {
  const params = { botId: bot.id }
  const partKey = [...proposedKey(bot.id), 'part']
  // One after the other, so that those of the whole content are saved last.
  const isAskingPart = useIsFetching({ queryKey: partKey }) > 0
  const isWhole = !isPart && !isAskingPart
  return useQuery({
    queryKey: isWhole ? [...proposedKey(bot.id), 'whole'] : partKey,
    enabled: isReady,
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
    placeholderData: keepPreviousData,
    // Asking them takes seconds, and nothing on this screen changes them.
    meta: { refreshesItself: true },
    queryFn: async () => {
      const proposal = await client.request('POST /api/manage/v1/bots/{botId}/suggested-questions/propose', { params })
      const suggested_questions = textsOf(proposal)
      const { widget } = await client.request('GET /api/manage/v1/bots/{botId}', { params })
      const ownProposals = isWhole ? textsOf(queryClient.getQueryData<ProposedQuestions>(partKey)) : []
      const isUnedited = [[], ownProposals].some((known) => isSame(known, widget.suggested_questions))
      if (suggested_questions.length > 0 && isUnedited) {
        await client.request('PATCH /api/manage/v1/bots/{botId}', { params, body: { widget: { suggested_questions } } })
        void reloadQueries()
      }
      return proposal
    },
  })
}

function textsOf(proposal: ProposedQuestions | undefined): string[] {
  return (proposal?.questions ?? []).map(({ question }) => question)
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((text, index) => text === others[index])
}

function proposedKey(botId: string) {
  return ['proposed questions', botId]
}

/** They are asked for again once content was added. */
export function forgetProposedQuestions(botId: string) {
  queryClient.removeQueries({ queryKey: proposedKey(botId) })
}

function Questions({ botId, questions }: { botId: string; questions: ProposedQuestions['questions'] }) {
  const markTested = useApiMutation('PATCH /api/manage/v1/bots/{botId}', { silent: true })
  const onToggle = () => {
    if (markTested.isIdle) markTested.mutate({ params: { botId }, body: { tested: true } })
  }
  if (questions.length === 0) return <Notice>{texts.noQuestions}</Notice>
  return (
    <div className="proposed">
      {questions.map(({ question, response, sources }) => (
        <details key={question} name="proposed" onToggle={onToggle}>
          <summary>{question}</summary>
          <AnswerText text={response} />
          {sources.slice(0, 2).map(({ title, url }) => (
            <a key={url} className="inline small" href={url} target="_blank" rel="noreferrer">
              {title} <Icon name="out" size={14} />
            </a>
          ))}
        </details>
      ))}
    </div>
  )
}

function ChatPage({ botId }: { botId: string }) {
  const address = `${useWidgetBaseUrl()}/chat/${botId}`
  return (
    <Card
      title={texts.chatTitle}
      about={texts.chatAbout}
      actions={
        <Button component="a" variant="default" size="compact-sm" href={address} target="_blank" rel="noreferrer">
          {texts.openPage}
        </Button>
      }
    >
      <iframe className="chat-page" title={texts.chatTitle} src={address} />
      <p className="quiet small">{texts.share}</p>
      <CodeBlock text={address} />
    </Card>
  )
}
