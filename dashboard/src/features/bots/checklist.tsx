import type { Bot } from '@docent/contract'
import { Button } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { useApiList } from '../../api.ts'
import { useHasRole, useSession } from '../../session.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { Texts } from '../../texts/texts-type.ts'
import { Card } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useTested } from '../playground/tested.ts'

/** The steps from an empty bot to one on a website, until all are done or the list is dismissed. */
export function Checklist({ bot }: { bot: Bot }) {
  const { checklist: words } = useTexts()
  const [hidden, setHidden] = useLocalStorage({
    key: `docent-checklist-${bot.id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const mayEdit = useHasRole('editor')
  const steps = useSteps(bot)
  const done = steps.filter(({ isDone }) => isDone).length
  const next = steps.find(({ isDone }) => !isDone)
  if (hidden || !next || !mayEdit) return null
  return (
    <Card
      title={words.title}
      about={words.progress(done, steps.length)}
      actions={
        <Button variant="subtle" size="compact-sm" color="gray" onClick={() => setHidden(true)}>
          {words.hide}
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
              <Link to={to}>{words.steps[name]}</Link>
              {isDone && <span className="unseen"> {words.done}</span>}
              <small className="quiet">{about ?? words.about[name]}</small>
            </span>
          </li>
        ))}
      </ol>
    </Card>
  )
}

function useSteps(bot: Bot): Step[] {
  const { checklist: words } = useTexts()
  const { id, knowledge, widget, widget_seen: seen } = bot
  const workspaceId = useSession().workspace_id ?? ''
  const params = { workspaceId }
  const isOwner = useHasRole('owner')
  const options = { enabled: isOwner && workspaceId !== '' }
  const members = useApiList('GET /api/manage/v1/workspaces/{workspaceId}/members', { params }, options)
  const invitations = useApiList('GET /api/manage/v1/workspaces/{workspaceId}/invitations', { params }, options)
  const isTested = useTested(id)
  const { title, greeting, suggested_questions, colour, logo_url } = widget
  const base = `/bots/${id}`
  return [
    { name: 'content', to: `${base}/knowledge`, isDone: knowledge.documents + knowledge.products > 0 },
    { name: 'test', to: `${base}/playground`, isDone: isTested },
    {
      name: 'appearance',
      to: `${base}/settings/appearance`,
      isDone: colour !== DEFAULT_COLOUR || suggested_questions.length > 0 || Boolean(title ?? greeting ?? logo_url),
    },
    {
      name: 'install',
      to: `${base}/settings/appearance`,
      isDone: seen !== null,
      about: seen ? words.detected(new URL(seen.origin).host) : undefined,
    },
    // Only owners can invite. Wait for both lists, to know whether anyone was invited.
    ...(isOwner && members.data && invitations.data
      ? [
          {
            name: 'invite' as const,
            to: '/workspace',
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
