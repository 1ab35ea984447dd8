import type { Bot } from '@docent/contract'
import { SCREENS, screenPath } from '@docent/contract/screens'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useApiList } from '../../api.ts'
import { useHasRole } from '../../session.ts'
import { formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { DataList } from '../../ui/lists/data-list.tsx'
import { Page } from '../../ui/page.tsx'
import { BotHealth } from './bot-health.tsx'

export function BotsPage() {
  const { bots: texts, general, lists } = useTexts()
  const [q, setQ] = useState('')
  const [order, setOrder] = useState('name')
  const query = { limit: 24, sort: order as 'name', ...(q ? { q } : {}) }
  const bots = useApiList('GET /api/manage/v1/bots', { query })
  const mayCreate = useHasRole('editor')
  const create = mayCreate && (
    <Button component={Link} to={SCREENS.newBot} leftSection={<Icon name="plus" size={18} />}>
      {texts.create}
    </Button>
  )
  return (
    <Page title={texts.title} about={texts.about} actions={bots.items.length > 0 && create} wide>
      <DataList<Bot>
        label={texts.title}
        list={bots}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        to={({ id }) => screenPath('bot', { botId: id })}
        search={{ q, onSearch: setQ }}
        sort={{ order, onOrder: setOrder }}
        columns={[
          {
            label: general.name,
            sort: 'name',
            show: ({ name }) => (
              <span className="with-thumb">
                <span className="avatar" aria-hidden="true">
                  {name.slice(0, 1).toUpperCase()}
                </span>
                {name}
              </span>
            ),
            value: ({ name }) => name,
          },
          { label: lists.status, show: (bot) => <BotHealth bot={bot} /> },
          {
            label: texts.documents,
            isNumber: true,
            isExtra: true,
            show: ({ knowledge }) => formatNumber(knowledge.documents),
            value: ({ knowledge }) => knowledge.documents,
          },
          {
            label: texts.products,
            isNumber: true,
            isExtra: true,
            show: ({ knowledge }) => formatNumber(knowledge.products),
            value: ({ knowledge }) => knowledge.products,
          },
          {
            label: lists.created,
            sort: 'created_at',
            isExtra: true,
            show: ({ created_at }) => <Time time={created_at} />,
            value: ({ created_at }) => created_at,
          },
        ]}
        empty={<EmptyState icon="bots" title={texts.emptyTitle} about={texts.emptyAbout} action={create} />}
      />
    </Page>
  )
}
