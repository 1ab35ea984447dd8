// The panel: header, conversation, composer.

import type { Show } from '../chat/context.ts'
import type { Store } from '../chat/store.ts'
import { composer } from './composer.ts'
import { element, fill } from './element.ts'
import { handoverBar } from './handover-bar.ts'
import { icon } from './icon.ts'
import { logView } from './log-view.ts'
import { iconButton, picture, textButton, type View } from './view.ts'

interface Props extends Omit<View, 'announce' | 'focusComposer'> {
  mode: string
  store: Store
  onClose: () => void
}

export function panel({ mode, store, onClose, ...given }: Props) {
  const { config, words } = given
  const status = element('div', { class: 'unseen', role: 'status' })
  const view: View = {
    ...given,
    announce: (text) => {
      status.textContent = text
    },
    focusComposer: focus,
  }
  /** Where there is no keyboard, the one on the screen would cover what is to be read. */
  function focus() {
    if (matchMedia('(pointer: coarse)').matches) node.focus()
    else writing.focus()
  }
  const writing = composer(view, store)
  const handover = handoverBar(view)
  const log = logView(view)
  const notice = element('div', { class: 'bar notice', hidden: true })

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
      picture(config.logo_url) ?? element('span', { class: 'mark' }, icon('chat')),
      element('div', { class: 'title', id: 'title' }, element('bdi', {}, config.title ?? config.name)),
      handover.call,
      mode === 'bubble' && iconButton('down', words.close, onClose),
    ),
    handover.bar,
    log.node,
    notice,
    writing.node,
    status,
  )

  return {
    node,
    show: { ...log.show, handover: handover.show } satisfies Show,
    quietly: log.quietly,
    focus,
    /** Once it can be seen and measured. */
    reveal() {
      writing.grow()
      log.follow()
    },
    /** Something stands in the way; null: no longer. */
    warn(text: string | null, retry?: () => void) {
      notice.hidden = !text
      fill(notice, element('span', {}, text ?? ''), retry && textButton(words.retry, retry, 'link'))
      if (text) view.announce(text)
    },
  }
}
