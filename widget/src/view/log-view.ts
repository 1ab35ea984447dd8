// The message list. Each message is announced once, and the list scrolls as it grows.
import type { Display } from '../chat/context.ts'
import type { Entry } from '../chat/entries.ts'
import { formatText } from '../host/texts.ts'
import { element } from './element.ts'
import { type EntryView, makeEntryView } from './entry-view.ts'
import { buttonList } from './extras.ts'
import { linkNode, renderMarkdown } from './markdown/markdown.ts'
import { safeUrl } from './markdown/safe-url.ts'
import { textButton, type View } from './view.ts'

const TYPING_SHOWN_MS = 6000
const NEAR_END_PX = 60
const GROUP_MS = 300_000
const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

export function makeLogView(view: View) {
  const { texts, language, announce, conversation } = view
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const welcome = makeWelcome(view)
  const log = element('div', { class: 'log', role: 'log', 'aria-live': 'polite', 'aria-label': texts.conversation })
  // A streaming answer is hidden from screen readers and moves into the log when complete.
  const streaming = element('div', { class: 'log', 'aria-hidden': 'true' })
  const earlier = textButton(texts.earlier, () => quietly(conversation().loadEarlier(), true).catch(() => {}), 'link')
  const typing = element('div', { class: 'typing', hidden: true })
  const node = element(
    'div',
    { class: 'scroller', tabindex: 0, role: 'group', 'aria-label': texts.conversation, scroll: checkEnd },
    welcome.node,
    earlier,
    log,
    streaming,
    typing,
  )
  const views = new Map<Entry, EntryView>()
  /** The top of the latest turn. */
  let turnStart: HTMLElement | undefined
  /** Of the list, when its size was last observed. */
  let height = 0
  let isAtEnd = true
  let typingTimer: ReturnType<typeof setTimeout> | undefined

  /** Messages within a few minutes share one time. */
  function updateTimes() {
    let last = 0
    for (const time of log.querySelectorAll('time')) {
      const at = Date.parse(time.dateTime)
      const seconds = (Date.now() - at) / 1000
      const [unit, length] = UNITS.find(([, least]) => seconds >= least) ?? ['second', 1e9]
      time.hidden = at - last < GROUP_MS
      time.textContent = relative.format(-Math.floor(seconds / length), unit)
      last = at
    }
  }

  /** Scrolls to the end, but keeps the start of the latest turn visible. */
  function follow() {
    node.scrollTop = turnStart ? turnStart.offsetTop - 12 : node.scrollHeight
    checkEnd()
  }

  /** A scroll may be reported before the resize of the same frame, with the new size. */
  function checkEnd() {
    if (node.clientHeight === height) isAtEnd = node.scrollHeight - node.scrollTop - height < NEAR_END_PX
  }

  /** Keep the end visible when an on-screen keyboard shrinks the log. */
  new ResizeObserver(() => {
    if (isAtEnd) node.scrollTop = node.scrollHeight
    height = node.clientHeight
  }).observe(node)

  const show: Omit<Display, 'handover' | 'chime'> = {
    entry(entry, before) {
      const isNew = !views.has(entry)
      const entryView = views.get(entry) ?? makeEntryView(entry, view)
      views.set(entry, entryView)
      entryView.update()
      const target = entry.state === 'streaming' ? streaming : log
      if (entryView.node.parentNode !== target)
        target.insertBefore(entryView.node, (before && views.get(before)?.node) ?? null)
      updateTimes()
      if (entry.role === 'visitor') welcome.end()
      if (isNew && (entry.role === 'visitor' || entry.form)) turnStart = entryView.node
      if (isNew && target === streaming) announce(texts.answering)
      if (isNew || isAtEnd) follow()
    },
    remove(entry) {
      views.get(entry)?.node.remove()
      views.delete(entry)
    },
    seen(until) {
      if (until) view.more(({ markSeen }) => markSeen(views, until))
    },
    typing(name) {
      clearTimeout(typingTimer)
      typing.hidden = !name
      if (!name) return
      typing.textContent = formatText(texts.typing, name)
      announce(typing.textContent)
      typingTimer = setTimeout(() => show.typing(null), TYPING_SHOWN_MS)
      follow()
    },
    earlier(isThere) {
      // Keep focus when the button disappears.
      if (!isThere && earlier.matches(':focus')) node.focus()
      earlier.hidden = !isThere
    },
  }

  /** Screen readers announce new messages, but not the history. */
  async function quietly(work: Promise<void>, keepPosition = false) {
    const fromEnd = node.scrollHeight - node.scrollTop
    log.setAttribute('aria-live', 'off')
    try {
      await work
    } finally {
      turnStart = undefined
      if (keepPosition) node.scrollTop = node.scrollHeight - fromEnd
      else follow()
      setTimeout(() => log.setAttribute('aria-live', 'polite'), 500)
    }
  }
  earlier.hidden = true
  const stamping = setInterval(() => (node.isConnected ? updateTimes() : clearInterval(stamping)), 60_000)

  return { node, show, follow, quietly }
}

/** Shown before the first message: the notice that a bot answers, the greeting and its buttons. */
function makeWelcome(view: View) {
  const { config, texts } = view
  const greeting = element('div', { class: 'text', dir: 'auto' })
  renderMarkdown(greeting, config.greeting ?? texts.greeting, true)
  const privacy = safeUrl(config.privacy_url)
  // A node of the previous version knows no buttons.
  const buttons = buttonList({ buttons: config.greeting_buttons ?? [], products: [] }, view)
  const node = element(
    'div',
    { class: 'log fresh' },
    element('p', { class: 'disclaimer' }, texts.disclaimer, ' ', privacy && linkNode(privacy, texts.privacy)),
    element('div', { class: 'entry bot' }, greeting),
    buttons,
  )
  return {
    node,
    end() {
      node.className = 'log'
      if (buttons) buttons.remove()
    },
  }
}
