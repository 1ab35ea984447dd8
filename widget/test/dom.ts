// A document for code that makes nodes, without a browser.
import { parseHTML } from 'linkedom'

const { document } = parseHTML('<!doctype html><html><body></body></html>')
Object.assign(globalThis, {
  document,
  ResizeObserver: class {
    observe() {}
  },
})

export function newElement(): HTMLElement {
  return document.createElement('div')
}
