// Shows who handles the conversation, with buttons to request an agent or return to the bot.

import type { Show } from '../chat/context.ts'
import { isAwaited } from '../chat/handover.ts'
import { say } from '../host/words.ts'
import { element, fill } from './element.ts'
import { iconButton, textButton, type View } from './view.ts'

export function handoverBar({ config, words, conversation, announce, focusComposer }: View) {
  const bar = element('div', { class: 'bar', hidden: true })
  const call = iconButton('person', words.person, () => {
    conversation().ask('request')
    focusComposer()
  })
  const back = () => {
    conversation().ask('end')
    focusComposer()
  }
  let told = ''

  const show: Show['handover'] = (status, agentName) => {
    const isOpen = isAwaited(status)
    const text = status === 'active' ? say(words.talkingTo, agentName ?? words.team) : words.waiting
    call.hidden = isOpen || !config.handover.enabled
    bar.hidden = !isOpen
    bar.className = `bar ${status}`
    if (isOpen && text !== told) {
      fill(bar, element('span', { dir: 'auto' }, text), textButton(words.back, back, 'link'))
      announce(text)
    }
    told = isOpen ? text : ''
  }
  show('none', null)
  return { bar, call, show }
}
