import { Menu } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTexts } from '../../texts/texts.tsx'
import { Icon } from '../../ui/icon.tsx'
import { type InboxFilter, SHOWS } from './filter.ts'
import { texts as queue } from './queue-texts.ts'
import { useTeam } from './use-team.ts'

type View = (typeof SHOWS)[number]

/** What agents look at all day. The row has room for these in every language, the menu has the others. */
const IN_ROW: View[] = ['all', 'waiting', 'mine', 'mentions']
const IN_MENU = SHOWS.filter((view) => !IN_ROW.includes(view))

interface Props {
  filter: InboxFilter
  onChange: (changes: { show: View }) => void
}

/** The views of the list: the most used ones in a row, the others in a menu that names the chosen one. */
export function Views({ filter, onChange }: Props) {
  const { inbox: texts, team } = useTexts()
  const currentView = filter.show ?? 'all'
  const menuView = IN_MENU.find((view) => view === currentView)
  const labelOf = (view: View) => (view === 'waiting' || view === 'mentions' ? queue[view] : team.shows[view])
  const row = useRef<HTMLFieldSetElement>(null)
  /** Browsers leave a chip that is half in sight where it is, also when it has the focus. */
  const scrollTo = (chip: HTMLElement | null | undefined) => {
    if (row.current && chip) row.current.scrollLeft = chip.offsetLeft - (row.current.clientWidth - chip.offsetWidth) / 2
  }
  useEffect(() => {
    scrollTo(row.current?.querySelector<HTMLElement>('[aria-pressed="true"]'))
  }, [currentView])
  return (
    <fieldset ref={row} className="chips chips-row" onFocus={({ target }) => scrollTo(target)}>
      <legend className="unseen">{texts.filter}</legend>
      {IN_ROW.map((view) => (
        <button
          key={view}
          type="button"
          className="chip"
          aria-pressed={currentView === view}
          onClick={() => onChange({ show: view })}
        >
          {view === 'mentions' ? <MentionsLabel /> : labelOf(view)}
        </button>
      ))}
      <Menu position="bottom-end">
        <Menu.Target>
          <button type="button" className="chip chip-menu" {...(menuView ? { 'aria-pressed': true } : {})}>
            {menuView ? (
              <>
                <span className="unseen">{`${queue.more}: `}</span>
                <span className="chip-text" title={labelOf(menuView)}>
                  {labelOf(menuView)}
                </span>
              </>
            ) : (
              queue.more
            )}
            <Icon name="down" size={14} />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          {IN_MENU.map((view) => (
            <Menu.Item
              key={view}
              {...(view === menuView ? { 'aria-current': true } : {})}
              leftSection={view === menuView ? <Icon name="check" size={16} /> : <span className="unticked" />}
              onClick={() => onChange({ show: view })}
            >
              {labelOf(view)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </fieldset>
  )
}

/** A sign instead of the word, which is too long for the row in some languages. */
function MentionsLabel() {
  const { unread_mentions: unread } = useTeam()
  return (
    <>
      <span aria-hidden="true" title={queue.mentions}>
        @
      </span>
      <span className="unseen">{queue.mentions}</span>
      {unread > 0 && (
        <span className="chip-count">
          <span aria-hidden="true">{unread}</span>
          <span className="unseen">{queue.unreadMentions(unread)}</span>
        </span>
      )}
    </>
  )
}
