// Shows who handles the conversation, with buttons to request an agent or return to the bot.

import type { Display } from '../chat/context.ts'
import { isHandoverOpen } from '../chat/handover.ts'
import { formatText } from '../host/texts.ts'
import { element, fill } from './element.ts'
import { iconButton, textButton, type View } from './view.ts'

export function makeHandoverBar({ config, texts, conversation, announce, focusComposer }: View) {
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
