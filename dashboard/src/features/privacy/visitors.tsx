import type { VisitorSummary } from '@docent/contract'
import { Button, Menu, Modal, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useApiList, useApiMutation } from '../../api.ts'
import { Form } from '../../forms/form.tsx'
import { useHasRole } from '../../session.ts'
import { Time } from '../../text/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { List, Row } from '../../ui/lists/list.tsx'
import { RowMenu } from '../../ui/lists/row-menu.tsx'
import { Level } from '../identity/level.tsx'

const TYPING_MS = 250
const PAGE = 20

export function Visitors({ botId }: { botId: string }) {
  const { privacy: texts } = useTexts()
  const mayErase = useHasRole('editor')
  const [searchText, setSearchText] = useState('')
  const [erasing, setErasing] = useState<VisitorSummary | null>(null)
  const [q] = useDebouncedValue(searchText.trim(), TYPING_MS)
  const visitors = useApiList('GET /api/manage/v1/bots/{botId}/visitors', {
    params: { botId },
    query: { limit: PAGE, ...(q ? { q } : {}) },
  })
  const about = (visitor: VisitorSummary) => {
    const name = describeVisitor(visitor, texts.unnamed)
    return [visitor.email, visitor.phone, visitor.user_id].filter((each) => each !== name)
  }
  const exportOf = ({ id }: VisitorSummary) =>
    `/api/manage/v1/bots/${encodeURIComponent(botId)}/visitors/${encodeURIComponent(id)}`
  const erase = (visitor: VisitorSummary) =>
    ({ icon: 'trash', label: texts.erase, onClick: () => setErasing(visitor), destroys: true }) as const
  return (
    <>
      <TextInput
        aria-label={texts.search}
        placeholder={texts.search}
        type="search"
        maxLength={300}
        leftSection={<Icon name="search" size={18} />}
        value={searchText}
        onChange={(event) => setSearchText(event.currentTarget.value)}
      />
      <List
        label={texts.visitors}
        list={visitors}
        empty={
          <EmptyState
            icon="people"
            title={q ? texts.nothing : texts.emptyTitle}
            about={q ? texts.nothingAbout : texts.emptyAbout}
          />
        }
      >
        {(visitor) => (
          <Row
            key={visitor.id}
            title={describeVisitor(visitor, texts.unnamed)}
            meta={[
              ...about(visitor),
              visitor.level && visitor.level !== 'anonymous' && <Level key="level" level={visitor.level} />,
              texts.channel[visitor.channel],
              texts.conversations(visitor.conversations),
              <Time key="seen" time={visitor.last_seen_at} text={texts.seen} />,
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
                  {texts.export}
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

/** Cannot be undone, so the visitor's name must be typed. */
function EraseVisitor({ botId, visitor, onClose }: { botId: string; visitor: VisitorSummary; onClose: () => void }) {
  const { privacy: texts, general } = useTexts()
  const [typedName, setTypedName] = useState('')
  const name = describeVisitor(visitor, visitor.id)
  const erase = useApiMutation('DELETE /api/manage/v1/bots/{botId}/visitors/{visitorId}', {
    done: texts.erased,
    onDone: onClose,
    silent: true,
  })
  return (
    <Modal opened onClose={onClose} title={texts.eraseTitle(name)}>
      <Form
        action={texts.erase}
        destroys
        pending={erase.isPending}
        error={erase.error}
        disabled={typedName.trim() !== name.trim()}
        onSubmit={() => erase.mutate({ params: { botId, visitorId: visitor.id } })}
        aside={
          <Button variant="default" onClick={onClose}>
            {general.cancel}
          </Button>
        }
      >
        <p>{texts.eraseAbout}</p>
        <TextInput
          label={texts.eraseType(name)}
          data-autofocus
          value={typedName}
          onChange={(event) => setTypedName(event.currentTarget.value)}
        />
      </Form>
    </Modal>
  )
}

/** The most recognizable detail of a visitor. */
function describeVisitor({ name, email, phone, user_id }: VisitorSummary, unnamed: string): string {
  return name ?? email ?? phone ?? user_id ?? unnamed
}
