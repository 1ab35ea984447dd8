import type { Bot } from '@docent/contract'
import { SCREENS, screenPath } from '@docent/contract/screens'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useApiList, useApiMutation } from '../../api.ts'
import { useHasRole, useSession } from '../../session.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { Texts } from '../../texts/texts-type.ts'
import { Card } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'

/** The steps from an empty bot to one on a website, until all are done or the list is dismissed. */
export function Checklist({ bot }: { bot: Bot }) {
  const { checklist: texts } = useTexts()
  const save = useApiMutation('PATCH /api/manage/v1/bots/{botId}')
  const hide = () => save.mutate({ params: { botId: bot.id }, body: { checklist_hidden: true } })
  const mayEdit = useHasRole('editor')
  const steps = useSteps(bot)
  const doneCount = steps.filter(({ isDone }) => isDone).length
  const next = steps.find(({ isDone }) => !isDone)
  if (bot.checklist_hidden || !next || !mayEdit) return null
  return (
    <Card
      title={texts.title}
      about={texts.progress(doneCount, steps.length)}
      actions={
        <Button variant="subtle" size="compact-sm" color="gray" loading={save.isPending} onClick={hide}>
          {texts.hide}
        </Button>
      }
    >
      <ol className="checklist">
        {steps.map(({ name, to, isDone, about }) => (
          <li
            key={name}
            className="checklist-step"
            data-done={isDone || undefined}
            aria-current={name === next.name ? 'step' : undefined}
          >
            <span className="checklist-mark" aria-hidden="true">
              {isDone && <Icon name="check" size={14} />}
            </span>
            <span>
              <Link to={to}>{texts.steps[name]}</Link>
              {isDone && <span className="unseen"> {texts.done}</span>}
              <small className="quiet">{about ?? texts.about[name]}</small>
            </span>
          </li>
        ))}
      </ol>
    </Card>
  )
}

function useSteps(bot: Bot): Step[] {
  const { checklist: texts } = useTexts()
  const { id: botId, knowledge, widget, tested, widget_seen: sighting } = bot
  const workspaceId = useSession().workspace_id ?? ''
  const params = { workspaceId }
  const isOwner = useHasRole('owner')
  const options = { enabled: isOwner && workspaceId !== '' }
  const members = useApiList('GET /api/manage/v1/workspaces/{workspaceId}/members', { params }, options)
  const invitations = useApiList('GET /api/manage/v1/workspaces/{workspaceId}/invitations', { params }, options)
  const { title, greeting, suggested_questions, colour, logo_url } = widget
  return [
    { name: 'content', to: screenPath('websites', { botId }), isDone: knowledge.documents + knowledge.products > 0 },
    { name: 'test', to: screenPath('playground', { botId }), isDone: tested },
    {
      name: 'appearance',
      to: screenPath('appearance', { botId }),
      isDone: colour !== DEFAULT_COLOUR || suggested_questions.length > 0 || Boolean(title ?? greeting ?? logo_url),
    },
    {
      name: 'install',
      to: screenPath('appearance', { botId }),
      isDone: sighting !== null,
      about: sighting ? texts.detected(new URL(sighting.origin).host) : undefined,
    },
    // Only owners can invite. Wait for both lists, to know whether anyone was invited.
    ...(isOwner && members.data && invitations.data
      ? [
          {
            name: 'invite' as const,
            to: SCREENS.members,
            isDone: members.items.length > 1 || invitations.items.length > 0,
          },
        ]
      : []),
  ] satisfies Step[]
}

interface Step {
  name: keyof Texts['checklist']['steps']
  to: string
  isDone: boolean
  about?: string | undefined
}

const DEFAULT_COLOUR = '#2f6f4f'
