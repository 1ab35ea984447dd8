import type { Found } from '@docent/contract'
import { Modal } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { apiQuery } from '../api.ts'
import { useBotId } from '../features/bots/use-bot.ts'
import { useTexts } from '../texts/texts.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { type Screen, useScreens } from './screens.ts'

interface Hit {
  group: string
  icon: IconName
  title: string
  detail: string | null
  to: string
  search?: Record<string, string>
}

const icons: Record<Found['kind'], IconName> = {
  ...({ bot: 'bots', conversation: 'inbox', lead: 'lead', document: 'text', file: 'file' } as const),
  ...({ answer: 'answer', product: 'products', website: 'globe', key: 'key', member: 'people' } as const),
}
const MAX_SCREENS = 8
const DEBOUNCE_MS = 150

/** Finds and opens screens and anything in the workspace by name. */
export function Palette({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { palette: words } = useTexts()
  return (
    <Modal.Root opened={opened} onClose={onClose} size="lg" transitionProps={{ duration: 0 }}>
      <Modal.Overlay />
      <Modal.Content aria-label={words.title}>
        <Search onClose={onClose} />
      </Modal.Content>
    </Modal.Root>
  )
}

function Search({ onClose }: { onClose: () => void }) {
  const { palette: words } = useTexts()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const { hits, isPending } = useHits(text.trim())
  useEffect(() => setAt(0), [text])
  const chosen = hits[Math.min(at, hits.length - 1)]
  const open = ({ to, search }: Hit) => {
    onClose()
    void navigate({ to, search: (search ?? {}) as never })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const moves: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: hits.length - 1 }
    const next = moves[event.key]
    if (next !== undefined && hits.length > 0) setAt((next + hits.length) % hits.length)
    else if (event.key === 'Enter' && chosen) open(chosen)
    else return
    event.preventDefault()
  }
  const groups = [...new Set(hits.map(({ group }) => group))]
  return (
    <>
      <div className="palette-field">
        <Icon name="search" />
        <input
          data-autofocus
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-hits"
          aria-autocomplete="list"
          aria-activedescendant={chosen && idOf(hits.indexOf(chosen))}
          aria-label={words.title}
          placeholder={words.placeholder}
          maxLength={200}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <p className="unseen" role="status">
        {text !== '' && !isPending && words.count(hits.length)}
      </p>
      <div id="palette-hits" role="listbox" aria-label={words.results} className="palette-hits">
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a list of options has no element for its groups
          <div key={group} role="group" aria-label={group}>
            <p className="palette-group" aria-hidden="true">
              {group}
            </p>
            {hits.map(
              (hit, index) =>
                hit.group === group && <Option key={index} {...{ hit, index, open }} isChosen={hit === chosen} />,
            )}
          </div>
        ))}
      </div>
      {hits.length === 0 && <p className="palette-none quiet">{isPending ? words.searching : words.nothing}</p>}
    </>
  )
}

interface OptionProps {
  hit: Hit
  index: number
  isChosen: boolean
  open: (hit: Hit) => void
}

function Option({ hit, index, isChosen, open }: OptionProps) {
  return (
    // The input keeps the focus and handles the keys.
    // biome-ignore lint/a11y/useFocusableInteractive: see above
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div
      id={idOf(index)}
      role="option"
      aria-selected={isChosen}
      className="palette-hit"
      ref={(node) => {
        if (isChosen) node?.scrollIntoView({ block: 'nearest' })
      }}
      onClick={() => open(hit)}
    >
      <Icon name={hit.icon} size={18} />
      <span className="palette-title" dir="auto">
        {hit.title}
      </span>
      {hit.detail && (
        <span className="palette-detail" dir="auto">
          {hit.detail}
        </span>
      )}
    </div>
  )
}

function useHits(text: string): { hits: Hit[]; isPending: boolean } {
  const { palette: words, shell } = useTexts()
  const botId = useBotId()
  const [q] = useDebouncedValue(text, DEBOUNCE_MS)
  const found = useQuery({
    ...apiQuery('GET /api/manage/v1/search', { query: { q, ...(botId ? { bot_id: botId } : {}) } }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })
  const { bot, settings, inner, workspace, own } = useScreens()
  const screens: Screen[] = [...(botId ? [...bot, ...inner, ...settings] : []), ...workspace, ...own]
  const wanted = text.toLowerCase()
  const matching = screens.filter(({ label }) => label.toLowerCase().includes(wanted)).slice(0, MAX_SCREENS)
  const pages = matching.map(({ to, icon, label }): Hit => {
    const detail = settings.some((each) => each.to === to) ? shell.settings : null
    return { group: words.pages, icon, title: label, detail, to }
  })
  const results = text === '' ? [] : (found.data?.results ?? [])
  const isForeign = (each: Found) => each.kind !== 'bot' && each.bot_id !== null && each.bot_id !== botId
  const things = results.map(
    (each): Hit => ({
      group: words.kinds[each.kind],
      icon: icons[each.kind],
      title: each.title,
      detail: [each.detail, isForeign(each) && each.bot_name].filter(Boolean).join(' · ') || null,
      ...linkTo(each),
    }),
  )
  return { hits: [...pages, ...things], isPending: text !== '' && (text !== q || found.isFetching) }
}

/** The result's own screen, or its list filtered by the title. */
function linkTo({ kind, id, bot_id, title }: Found): Pick<Hit, 'to' | 'search'> {
  const bot = `/bots/${bot_id}`
  const q = title.slice(0, 200)
  switch (kind) {
    case 'bot':
      return { to: bot }
    case 'conversation':
      return { to: `${bot}/inbox/${id}` }
    case 'lead':
      return { to: `${bot}/leads`, search: { lead: id, q } }
    case 'document':
      return { to: `${bot}/knowledge/documents/${encodeURIComponent(id)}` }
    case 'website':
      return { to: `${bot}/knowledge/websites/${id}` }
    case 'file':
      return { to: `${bot}/knowledge/files`, search: { q } }
    case 'answer':
      return { to: `${bot}/knowledge/answers`, search: { q } }
    case 'product':
      return { to: `${bot}/knowledge/products`, search: { q } }
    case 'key':
      return { to: `${bot}/settings/api`, search: { q } }
    case 'member':
      return { to: '/workspace' }
  }
}

function idOf(index: number): string {
  return `palette-hit-${index}`
}
