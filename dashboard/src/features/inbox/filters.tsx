import { TextInput } from '@mantine/core'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { formatSpan } from '../../text/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Icon } from '../../ui/icon.tsx'
import { type InboxFilter, shows } from './filter.ts'
import { MoreFilters } from './more-filters.tsx'
import { SavedFilters } from './saved-filters.tsx'

interface Props {
  filter: InboxFilter
  onChange: (changed: Partial<Record<keyof InboxFilter, string>>) => void
  /** Hides the choice of a bot. */
  ofOneBot: boolean
  search: RefObject<HTMLInputElement | null>
}

const DEBOUNCE_MS = 300

export function Filters({ filter, onChange, ofOneBot, search }: Props) {
  const { inbox: words, team } = useTexts()
  const [text, setText] = useState(filter.q ?? '')
  const sent = useRef(text)
  useEffect(() => {
    if (text.trim() === sent.current) return
    const rest = setTimeout(() => {
      sent.current = text.trim()
      onChange({ q: sent.current })
    }, DEBOUNCE_MS)
    return () => clearTimeout(rest)
  }, [text])
  useEffect(() => {
    // The URL has another search than the one entered here: a link was followed.
    if ((filter.q ?? '') === sent.current) return
    sent.current = filter.q ?? ''
    setText(sent.current)
  }, [filter.q])
  const row = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    const pressed = row.current?.querySelector<HTMLElement>('[aria-pressed="true"]')
    if (row.current && pressed)
      row.current.scrollLeft = pressed.offsetLeft - (row.current.clientWidth - pressed.offsetWidth) / 2
  }, [filter.show, filter.visitor, filter.had, filter.asked, filter.since])
  return (
    <div className="stack tight">
      <div className="inbox-search">
        <TextInput
          ref={search}
          type="search"
          aria-label={words.search}
          placeholder={words.search}
          leftSection={<Icon name="search" size={16} />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <MoreFilters filter={filter} onChange={onChange} ofOneBot={ofOneBot} />
        <SavedFilters filter={filter} onChange={onChange} />
      </div>
      <fieldset ref={row} className="chips chips-row">
        <legend className="unseen">{words.filter}</legend>
        {filter.visitor && (
          <button type="button" className="chip" aria-pressed="true" onClick={() => onChange({ visitor: '' })}>
            {words.oneVisitor}
            <Icon name="close" size={14} />
            <span className="unseen">{words.allVisitors}</span>
          </button>
        )}
        {(filter.had || filter.asked || filter.since) && (
          <button
            type="button"
            className="chip"
            aria-pressed="true"
            onClick={() => onChange({ had: '', asked: '', since: '', until: '', tz: '' })}
          >
            <span className="chip-text">
              {[
                filter.asked ? `“${filter.asked}”` : words.had[filter.had ?? 'conversation'],
                filter.since && filter.until ? formatSpan(filter.since, filter.until, filter.tz) : '',
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
            <Icon name="close" size={14} />
            <span className="unseen">{words.anyTime}</span>
          </button>
        )}
        {shows.map((each) => (
          <button
            key={each}
            type="button"
            className="chip"
            aria-pressed={(filter.show ?? 'all') === each}
            onClick={() => onChange({ show: each })}
          >
            {team.shows[each]}
          </button>
        ))}
      </fieldset>
    </div>
  )
}
