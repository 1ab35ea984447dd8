import type { Bot } from '@docent/contract'
import { BUTTONS_PER_PLACE } from '@docent/contract/limits'
import { screenPath } from '@docent/contract/screens'
import { Link } from '@tanstack/react-router'
import { SettingsForm } from '../../forms/settings-form.tsx'
import { useBotDraft } from '../../forms/use-bot-draft.ts'
import { formatNumber } from '../../text/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadError, LoadingRows } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { useBot } from '../bots/use-bot.ts'
import { ButtonFields } from './button-fields.tsx'
import { areFlowsValid, readFlows, writeFlows } from './flow-draft.ts'
import { texts } from './flow-texts.ts'
import { QuestionFields } from './question-fields.tsx'

export function FlowsPage() {
  const { shell } = useTexts()
  const botQuery = useBot()
  return (
    <Page title={shell.flows} about={texts.about}>
      {botQuery.error ? (
        <LoadError error={botQuery.error} onRetry={() => botQuery.refetch()} />
      ) : botQuery.data ? (
        <FlowsForm key={botQuery.data.id} bot={botQuery.data} />
      ) : (
        <LoadingRows />
      )}
    </Page>
  )
}

const PLACES = ['greeting', 'answer', 'noAnswer'] as const

function FlowsForm({ bot }: { bot: Bot }) {
  const { handover } = useTexts()
  const { draft, change, form } = useBotDraft(bot, readFlows, writeFlows)
  return (
    <SettingsForm {...form} valid={areFlowsValid(draft)}>
      {PLACES.map((place) => (
        <Card key={place} split title={texts[place]} about={texts[`${place}About`](formatNumber(BUTTONS_PER_PLACE))}>
          <ButtonFields
            bot={bot}
            label={texts[place]}
            buttons={draft[place]}
            onChange={(buttons) => change({ [place]: buttons })}
          />
        </Card>
      ))}
      <Card split title={texts.questions} about={texts.questionsAbout}>
        {!bot.handover.enabled && <Notice>{texts.handoverOff}</Notice>}
        <QuestionFields questions={draft.questions} onChange={(questions) => change({ questions })} />
      </Card>
      <Card split title={handover.hours} about={texts.hoursAbout}>
        <OfficeHours bot={bot} />
      </Card>
    </SettingsForm>
  )
}

/** They are set with the rest of the handover. */
function OfficeHours({ bot }: { bot: Bot }) {
  const { handover } = useTexts()
  const { hours } = bot.handover
  return (
    <div className="stack tight">
      {hours === null ? (
        <p>{texts.always}</p>
      ) : hours.open.length === 0 ? (
        <p>{handover.noHours}</p>
      ) : (
        <ul className="stack tight">
          {hours.open.map(({ days, from, to }) => (
            <li key={`${days} ${from}`}>
              {days.map((day) => handover.days[day]).join(', ')}: {from}–{to}
            </li>
          ))}
        </ul>
      )}
      <Link to={screenPath('handover', { botId: bot.id })}>{texts.changeHours}</Link>
    </div>
  )
}
