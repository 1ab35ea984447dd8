// Files in the conversation: images are shown, others are links.
import type { Attachment, AttachmentAccepted } from '@docent/contract'
import type { Entry } from '../chat/entries.ts'
import { toServerError } from '../chat/server.ts'
import { element } from '../view/element.ts'
import { linkNode } from '../view/markdown/markdown.ts'
import { picture } from '../view/view.ts'
import type { MoreView } from './more-view.ts'

export const FILE_TYPES = 'image/png,image/jpeg,image/gif,image/webp,application/pdf,text/plain'

export function fileList({ attachments = [] }: Entry, view: MoreView) {
  return (
    attachments.length > 0 && element('div', { class: 'files' }, ...attachments.map((each) => fileNode(each, view)))
  )
}

function fileNode({ id, name, type, size_bytes }: Attachment, { base, config, language }: MoreView) {
  const address = `${base}/api/chat/${config.bot_id}/attachments/${id}`
  const size = new Intl.NumberFormat(language, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 })
  const label = element(
    'span',
    { dir: 'auto' },
    name,
    element('small', {}, ` ${size.format(Math.ceil(size_bytes / 1000))}`),
  )
  const content = type.startsWith('image/') ? picture(address, label) : label
  if (content !== label) content.setAttribute('alt', name)
  const link = linkNode(address, content)
  link.className = 'file'
  return link
}

/** Returns why the file was not sent, or null. */
export async function sendFile(file: File, view: MoreView): Promise<string | null> {
  const { server, store, texts, moreTexts, conversation, announce } = view
  const form = new FormData()
  form.append('session_id', store.get().session ?? '')
  form.append('file', file)
  announce(moreTexts.uploading)
  try {
    const { messages }: AttachmentAccepted = await (await server.ask('attachments', form)).json()
    for (const message of messages) conversation().receive(message)
    return null
  } catch (error) {
    const { status, message } = toServerError(error)
    // The server's sentence is in English, but has the limit. That of a whole request is not that of a file.
    const limit = /file.* ([\d.]+ [KM]B)/.exec(message)?.[1]
    if (status === 413) return moreTexts.tooLarge + (limit ? ` (≤ ${limit})` : '')
    return status === 415 ? moreTexts.wrongFile : status === 429 ? message : texts.error
  }
}
