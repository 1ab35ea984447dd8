// The element itself, as pages place and move it.
import { parseHTML } from 'linkedom'
import { expect, test, vi } from 'vitest'

test('the token of the page is read once, so that it does not come back after a log-out', async () => {
  const { document, HTMLElement, customElements } = parseHTML('<!doctype html><html><body></body></html>')
  vi.stubGlobal('HTMLElement', HTMLElement)
  vi.stubGlobal('customElements', customElements)
  vi.stubGlobal('document', document)
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('location', { origin: 'https://shop.test' })
  // The chat itself is never loaded.
  vi.stubGlobal('requestIdleCallback', () => 0)
  const { defineElement } = await import('../src/host/docent-chat.ts')
  defineElement(() => Promise.reject(new Error('not used')))
  const chat = document.createElement('docent-chat')
  chat.dataset.userToken = 'signed'
  document.body.append(chat)
  expect(chat.dataset.userToken).toBeUndefined()
  vi.unstubAllGlobals()
})
