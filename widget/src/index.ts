// The npm package: importing it defines <docent-chat>.
import { DocentChat, defineElement } from './host/docent-chat.ts'

if (globalThis.customElements) defineElement()

export { DocentChat }
