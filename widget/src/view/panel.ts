// The panel: header, conversation, composer.
import type { Display } from '../chat/context.ts'
import { isHandoverOpen } from '../chat/handover.ts'
import { formatText } from '../host/texts.ts'
import { makeComposer } from './composer.ts'
import { element, fill } from './element.ts'
import { icon } from './icon.ts'
import { makeLogView } from './log-view.ts'
import { avatar, iconButton, type LoadMore, type More, picture, textButton, type View } from './view.ts'

interface Props extends Omit<View, 'announce' | 'focusComposer' | 'more'> {
  mode: string
  loadMore: LoadMore
  onClose: () => void
}

export function makePanel({ mode, loadMore, onClose, ...common }: Props) {
  const { base, config, store, texts } = common
  let loading: Promise<More> | undefined
  const status = element('div', { class: 'unseen', role: 'status' })
  const view: View = {
    ...common,
    announce: (text) => {
      status.textContent = text
    },
    focusComposer: focus,
    more(act) {
      loading ??= loadMore(base).then(({ openMore }) => openMore(view))
      loading.then(act, () => {
        // Load again on the next use.
        loading = undefined
        view.announce(texts.error)
      })
    },
  }
  /** On touch devices, focusing the field would open the on-screen keyboard and cover the messages. */
  function focus() {
    if (matchMedia('(pointer: coarse)').matches) node.focus()
    else composer.focus()
  }
  const composer = makeComposer(view)
  const handover = makeHandoverBar(view)
  const log = makeLogView(view)
  const menu = iconButton('menu', texts.menu, () => view.more(({ openMenu }) => openMenu(menu)), {
    'aria-haspopup': 'true',
  })
  const notice = element('div', { class: 'bar', hidden: true })

  const node = element(
    'section',
    {
      class: 'panel',
      id: 'panel',
      role: mode === 'bubble' ? 'dialog' : 'region',
      'aria-labelledby': 'title',
      tabindex: -1,
    },
    element(
      'div',
      { class: 'header' },
      avatar(view, config.avatar, picture(config.logo_url, element('span', { class: 'mark' }, icon('chat')))),
      element('div', { class: 'title', id: 'title' }, element('bdi', {}, config.title ?? config.name)),
      handover.call,
      menu,
      mode === 'bubble' && iconButton('down', texts.close, onClose),
    ),
    handover.bar,
    log.node,
    notice,
    composer.node,
    status,
  )

  return {
    node,
    show: {
      ...log.show,
      handover: handover.show,
      chime: () => view.more(({ chime }) => chime()),
    } satisfies Display,
    quietly: log.quietly,
    more: view.more,
    focus,
    /** Call once the panel is visible, because heights are measured. */
    reveal() {
      if ((config.pre_chat || config.requires_login) && !store.get().token)
        view.more(({ introduce }) => introduce(log.node, composer.node))
      composer.grow()
      log.follow()
    },
    /** Shows a warning above the composer; null hides it. */
    warn(text: string | null, retry?: () => void) {
      notice.hidden = !text
      fill(notice, element('span', {}, text ?? ''), retry && textButton(texts.retry, retry, 'link'))
      if (text) view.announce(text)
    },
  }
}

/** Shows who handles the conversation, with buttons to request an agent or return to the bot. */
function makeHandoverBar({ config, texts, conversation, announce, focusComposer }: View) {
  const bar = element('div', { class: 'bar', hidden: true })
  const call = iconButton('person', texts.person, () => {
    conversation().ask('request')
    focusComposer()
  })
  const back = () => {
    conversation().ask('end')
    focusComposer()
  }
  let announcedText: string | false = false

  const show: Display['handover'] = (status, agentName) => {
    const isOpen = isHandoverOpen(status)
    const text =
      status === 'active' ? formatText(texts.talkingTo, agentName ?? texts.team) : (agentName ?? texts.waiting)
    call.hidden = isOpen || !config.handover.enabled
    bar.hidden = !isOpen
    bar.className = `bar ${status}`
    if (isOpen && text !== announcedText) {
      fill(bar, text && element('span', { dir: 'auto' }, text), textButton(texts.back, back, 'link'))
      announce(text)
    }
    announcedText = isOpen && text
  }
  show('none', null)
  return { bar, call, show }
}
