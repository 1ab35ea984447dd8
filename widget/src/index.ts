// The npm package: importing it defines <docent-chat>.
import { DocentChat, defineElement } from './host/docent-chat.ts'

// A static path next to this file, so that the page's bundler can split it off.
if (globalThis.customElements) defineElement(() => import('./more.ts'))

export { DocentChat }
