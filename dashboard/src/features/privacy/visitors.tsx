import type { VisitorSummary } from '@docent/contract'
import { Menu, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useApiList } from '../../api.ts'
import { useHasRole } from '../../session.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { List } from '../../ui/lists/list.tsx'
import { RowMenu } from '../../ui/lists/row-menu.tsx'
import { Row } from '../../ui/lists/rows.tsx'
import { EraseVisitor } from './erase-visitor.tsx'
import { describeVisitor } from './visitor-name.ts'

const TYPING_MS = 250
const PAGE = 20

export function Visitors({ botId }: { botId: string }) {
  const { privacy: words } = useTexts()
  const mayErase = useHasRole('editor')
  const [typed, setTyped] = useState('')
  const [erasing, setErasing] = useState<VisitorSummary | null>(null)
  const [q] = useDebouncedValue(typed.trim(), TYPING_MS)
  const visitors = useApiList('GET /api/manage/v1/bots/{botId}/visitors', {
    params: { botId },
    query: { limit: PAGE, ...(q ? { q } : {}) },
  })
  const about = (visitor: VisitorSummary) => {
    const name = describeVisitor(visitor, words.unnamed)
    return [visitor.email, visitor.phone, visitor.user_id].filter((each) => each !== name)
  }
  const exportOf = ({ id }: VisitorSummary) =>
    `/api/manage/v1/bots/${encodeURIComponent(botId)}/visitors/${encodeURIComponent(id)}`
  const erase = (visitor: VisitorSummary) =>
    ({ icon: 'trash', label: words.erase, onClick: () => setErasing(visitor), destroys: true }) as const
  return (
    <>
      <TextInput
        aria-label={words.search}
        placeholder={words.search}
        type="search"
        maxLength={300}
        leftSection={<Icon name="search" size={18} />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <List
        label={words.visitors}
        list={visitors}
        empty={
          <EmptyState
            icon="people"
            title={q ? words.nothing : words.emptyTitle}
            about={q ? words.nothingAbout : words.emptyAbout}
          />
        }
      >
        {(visitor) => (
          <Row
            key={visitor.id}
            title={describeVisitor(visitor, words.unnamed)}
            meta={[
              ...about(visitor),
              words.channel[visitor.channel],
              words.conversations(visitor.conversations),
              <Time key="seen" time={visitor.last_seen_at} text={words.seen} />,
              <code key="id">{visitor.id}</code>,
            ]}
            end={
              <RowMenu name={describeVisitor(visitor, visitor.id)} actions={mayErase ? [erase(visitor)] : []}>
                <Menu.Item
                  component="a"
                  href={exportOf(visitor)}
                  download={`visitor-${visitor.id.replace(/[^\w.-]+/g, '-')}.json`}
                  leftSection={<Icon name="download" size={16} />}
                >
                  {words.export}
                </Menu.Item>
              </RowMenu>
            }
          />
        )}
      </List>
      {erasing && <EraseVisitor botId={botId} visitor={erasing} onClose={() => setErasing(null)} />}
    </>
  )
}
