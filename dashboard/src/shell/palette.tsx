import type { Found } from '@docent/contract'
import { SCREENS, screenPath } from '@docent/contract/screens'
import { Modal } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { apiQuery } from '../api.ts'
import { useBotId } from '../features/bots/use-bot.ts'
import { Highlighted } from '../text/highlighted.tsx'
import { Time } from '../text/time.tsx'
import { visitorName } from '../text/visitor-name.ts'
import { useTexts } from '../texts/texts.tsx'
import type { Texts } from '../texts/texts-type.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { type Screen, useScreens } from './navigation.ts'

interface Hit {
  group: string
  icon: IconName
  title: string
  detail: string | null
  /** Below both: the text that was found. */
  excerpt?: string | null
  at?: string | null
  to: string
  search?: Record<string, string>
  hash?: string
}

const icons: Record<Found['kind'], IconName> = {
  ...({ bot: 'bots', conversation: 'inbox', lead: 'lead', document: 'text', passage: 'text' } as const),
  ...({ file: 'file', answer: 'answer', product: 'products', website: 'globe', key: 'key', member: 'people' } as const),
}
const MAX_SCREENS = 8
const DEBOUNCE_MS = 150

/** Finds and opens screens and anything in the workspace by name. */
export function Palette({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { palette: texts } = useTexts()
  return (
    <Modal.Root opened={opened} onClose={onClose} size="lg" transitionProps={{ duration: 0 }}>
      <Modal.Overlay />
      <Modal.Content aria-label={texts.title}>
        <Search onClose={onClose} />
      </Modal.Content>
    </Modal.Root>
  )
}

function Search({ onClose }: { onClose: () => void }) {
  const { palette: texts } = useTexts()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const { hits, isPending } = useHits(text.trim())
  useEffect(() => setAt(0), [text])
  const chosenHit = hits[Math.min(at, hits.length - 1)]
  const open = ({ to, search, hash }: Hit) => {
    onClose()
    void navigate({ to, search: (search ?? {}) as never, ...(hash ? { hash } : {}) })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const moves: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: hits.length - 1 }
    const next = moves[event.key]
    if (next !== undefined && hits.length > 0) setAt((next + hits.length) % hits.length)
    else if (event.key === 'Enter' && chosenHit) open(chosenHit)
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
          aria-activedescendant={chosenHit && idOf(hits.indexOf(chosenHit))}
          aria-label={texts.title}
          placeholder={texts.placeholder}
          maxLength={200}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <p className="unseen" role="status">
        {text !== '' && !isPending && texts.count(hits.length)}
      </p>
      <div id="palette-hits" role="listbox" aria-label={texts.results} className="palette-hits">
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a list of options has no element for its groups
          <div key={group} role="group" aria-label={group}>
            <p className="palette-group" aria-hidden="true">
              {group}
            </p>
            {hits.map(
              (hit, index) =>
                hit.group === group && (
                  <Option key={index} hit={hit} index={index} open={open} words={text} isChosen={hit === chosenHit} />
                ),
            )}
          </div>
        ))}
      </div>
      {hits.length === 0 && <p className="palette-none quiet">{isPending ? texts.searching : texts.nothing}</p>}
    </>
  )
}

interface OptionProps {
  hit: Hit
  index: number
  words: string
  isChosen: boolean
  open: (hit: Hit) => void
}

function Option({ hit, index, words, isChosen, open }: OptionProps) {
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
      <span className="palette-lines">
        <span className="palette-line">
          <span className="palette-title" dir="auto">
            <Highlighted text={hit.title} words={words} />
          </span>
          {hit.detail && (
            <span className="palette-detail" dir="auto">
              <Highlighted text={hit.detail} words={words} />
            </span>
          )}
          {hit.at && (
            <span className="palette-time">
              <Time time={hit.at} format="dateTime" />
            </span>
          )}
        </span>
        {hit.excerpt && (
          <span className="palette-excerpt" dir="auto">
            <Highlighted text={hit.excerpt} words={words} />
          </span>
        )}
      </span>
    </div>
  )
}

function useHits(text: string): { hits: Hit[]; isPending: boolean } {
  const allTexts = useTexts()
  const { palette: texts, shell } = allTexts
  const botId = useBotId()
  const [q] = useDebouncedValue(text, DEBOUNCE_MS)
  const searchQuery = useQuery({
    ...apiQuery('GET /api/manage/v1/search', { query: { q, ...(botId ? { bot_id: botId } : {}) } }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })
  const { bot, settings, inner, workspace, own } = useScreens(botId)
  const screens: Screen[] = [...(botId ? [...bot, ...inner, ...settings] : []), ...workspace, ...own]
  const searchText = text.toLowerCase()
  const matchingScreens = screens.filter(({ label }) => label.toLowerCase().includes(searchText)).slice(0, MAX_SCREENS)
  const pages = matchingScreens.map(({ to, search, icon, label }): Hit => {
    const detail = settings.some((each) => each.to === to) ? shell.settings : null
    return {
      group: texts.pages,
      icon,
      title: label,
      detail,
      to,
      ...(search?.bot ? { search: { bot: search.bot } } : {}),
    }
  })
  const results = text === '' ? [] : (searchQuery.data?.results ?? [])
  const isForeign = (each: Found) => each.kind !== 'bot' && each.bot_id !== null && each.bot_id !== botId
  const things = results.map(
    (each): Hit => ({
      group: texts.kinds[each.kind],
      icon: icons[each.kind],
      at: each.at,
      ...namesOf(each, allTexts, isForeign(each) ? each.bot_name : null),
      ...linkTo(each),
    }),
  )
  return { hits: [...pages, ...things], isPending: text !== '' && (text !== q || searchQuery.isFetching) }
}

const WITH_EXCERPT: readonly Found['kind'][] = ['passage', 'answer']

function namesOf({ kind, title, detail, visitor }: Found, texts: Texts, botName: string | null) {
  if (kind === 'conversation') {
    // Without a name, the title is the text that was found.
    const nameless = visitor ? visitorName(visitor.id) : texts.inbox.apiUser
    return detail === null
      ? { title: nameless, detail: botName, excerpt: title }
      : { title, detail: botName, excerpt: detail }
  }
  if (WITH_EXCERPT.includes(kind)) return { title, detail: botName, excerpt: detail }
  // Pages of a site may share a title; most share the host.
  const shownDetail = kind === 'document' && detail ? (URL.parse(detail)?.pathname ?? detail) : detail
  return { title, detail: [shownDetail, botName].filter(Boolean).join(' · ') || null }
}

/** The result's own screen, or its list filtered by the title. */
function linkTo({ kind, id, bot_id, title, document_id }: Found): Pick<Hit, 'to' | 'search' | 'hash'> {
  const botId = bot_id ?? ''
  const q = title.slice(0, 200)
  switch (kind) {
    case 'bot':
      return { to: screenPath('bot', { botId }) }
    case 'conversation':
      return { to: screenPath('botInbox', { botId, conversationId: id }) }
    case 'lead':
      return { to: screenPath('leads', { botId }), search: { lead: id, q } }
    case 'document':
      return { to: screenPath('document', { botId, documentId: id }) }
    case 'passage':
      return { to: screenPath('document', { botId, documentId: document_id ?? '' }), hash: id }
    case 'website':
      return { to: screenPath('website', { botId, crawlId: id }) }
    case 'file':
      return { to: screenPath('files', { botId }), search: { q } }
    case 'answer':
      return { to: screenPath('answers', { botId }), search: { q } }
    case 'product':
      return { to: screenPath('products', { botId }), search: { q } }
    case 'key':
      return { to: screenPath('api', { botId }), search: { q } }
    case 'member':
      return { to: SCREENS.members }
  }
}

function idOf(index: number): string {
  return `palette-hit-${index}`
}
