import { element } from './element.ts'
import { icon } from './icon.ts'
import { iconButton, type View } from './view.ts'

const TYPING_EVERY_MS = 3000

/** The message field. Its draft survives page loads. */
export function makeComposer(view: View) {
  const { texts, store, conversation } = view
  let toldAt = 0
  const input = element('textarea', {
    rows: 1,
    maxlength: 4000,
    placeholder: texts.placeholder,
    'aria-label': texts.placeholder,
    dir: 'auto',
    enterkeyhint: 'send',
    input() {
      store.set({ draft: input.value })
      grow()
      if (input.value && Date.now() - toldAt > TYPING_EVERY_MS) {
        toldAt = Date.now()
        conversation().sendTyping()
      }
    },
    keydown(event) {
      const { key, shiftKey, isComposing } = event as KeyboardEvent
      // Enter confirms the word while an input method is active.
      if (key === 'Enter' && !shiftKey && !isComposing) submit(event)
    },
  })
  input.value = store.get().draft ?? ''

  function grow() {
    input.style.height = ''
    // With the border, or a scroll bar would appear.
    input.style.height = `${input.scrollHeight + 2}px`
  }

  function submit(event: Event) {
    event.preventDefault()
    if (!input.value.trim()) return
    conversation().send(input.value)
    input.value = ''
    store.set({ draft: '' })
    grow()
  }

  const tools = iconButton('plus', texts.tools, () => view.more(({ openTools }) => openTools(tools, input)))
  const node = element(
    'form',
    { class: 'composer', submit },
    tools,
    input,
    element('button', { type: 'submit', class: 'send', 'aria-label': texts.send }, icon('send')),
  )
  return { node, focus: () => input.focus({ preventScroll: true }), grow }
}
