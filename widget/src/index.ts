// The npm package: importing it defines <docent-chat>.
import { DocentChat, defineElement } from './host/docent-chat.ts'

// Beside this file: a bundler of the page's makes a part of its own of it.
if (globalThis.customElements) defineElement(() => import('./more.ts'))

export { DocentChat }
