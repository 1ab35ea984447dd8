// Above the composer: an emoji picker and a button to attach a file.

import { element, fill } from '../view/element.ts'
import { FILE_TYPES, sendFile } from './attachments.ts'
import type { MoreView } from './more-view.ts'

const EMOJI =
  '😀 😃 😂 🙂 😉 😊 😍 🤔 😅 😢 😭 😡 😮 🙄 😴 👍 👎 👌 🙏 👏 💪 👋 🤝 ❤️ 💔 🎉 🔥 ⭐ ✅ ❌ ❓ ❗ 💡 📷 📦 🛒 💶 🎁 ☀️ ☕'

export function toggleTools(button: HTMLElement, input: HTMLTextAreaElement, view: MoreView) {
  const composer = button.closest('.composer')
  const open = composer?.previousElementSibling
  const setOpen = (isOpen: boolean) => button.setAttribute('aria-expanded', String(isOpen))
  const close = () => {
    composer?.previousElementSibling?.remove()
    setOpen(false)
    input.focus()
  }
  if (open?.matches('.tools')) return close()

  const { config, store, moreTexts } = view
  const insert = (text: string) => {
    input.setRangeText(text, input.selectionStart, input.selectionEnd, 'end')
    // Same as typing: saves the draft and resizes the field.
    input.dispatchEvent(new Event('input'))
  }
  const node = element(
    'div',
    {
      class: 'tools',
      keydown(event) {
        if ((event as KeyboardEvent).key !== 'Escape') return
        event.stopPropagation()
        close()
      },
    },
    // A file needs an existing conversation.
    config.attachments && store.get().token && fileButton(view, close),
    element(
      'div',
      { class: 'emoji', role: 'group', 'aria-label': moreTexts.emoji },
      ...EMOJI.split(' ').map((each) => element('button', { type: 'button', click: () => insert(each) }, each)),
    ),
  )
  composer?.before(node)
  setOpen(true)
  node.querySelector('button')?.focus()
}

function fileButton(view: MoreView, close: () => void) {
  const { moreTexts, texts } = view
  const problem = element('p', { class: 'problem', role: 'alert' })
  const button = element('button', { type: 'button', class: 'pill', click: () => input.click() }, moreTexts.attach)
  const input = element('input', {
    type: 'file',
    accept: FILE_TYPES,
    hidden: true,
    tabindex: -1,
    'aria-label': moreTexts.attach,
    async change() {
      const [file] = input.files ?? []
      input.value = ''
      if (!file) return
      button.disabled = true
      fill(button, moreTexts.uploading)
      const failure = await sendFile(file, view).catch(() => texts.error)
      button.disabled = false
      fill(button, moreTexts.attach)
      problem.textContent = failure
      if (failure === null) close()
    },
  })
  return element('div', {}, button, input, problem)
}
