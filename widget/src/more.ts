// Parts that few visitors need: loaded on first use, with their own texts and styles.
import type { Entry } from './chat/entries.ts'
import { fileList } from './more/attachments.ts'
import { identify } from './more/identify.ts'
import { leadForm, sentForm } from './more/lead-form.ts'
import { makeMarkSeen } from './more/mark-seen.ts'
import { toggleMenu } from './more/menu.ts'
import style from './more/more.css'
import type { MoreView } from './more/more-view.ts'
import { productList } from './more/product-list.ts'
import { askWhy, starRating } from './more/rating.ts'
import { showTables } from './more/tables.ts'
import { toggleTools } from './more/tools.ts'
import { append, element } from './view/element.ts'
import type { More, View } from './view/view.ts'

const NEAR_END_PX = 60

let sheet: CSSStyleSheet | undefined

export async function openMore(common: View): Promise<More> {
  const { base, language, host } = common
  const response = await fetch(`${base}/widget/more-${language}.json`, { credentials: 'omit' })
  const view: MoreView = { ...common, moreTexts: await response.json() }
  if (!sheet) {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(style)
  }
  const shadow = host.shadowRoot as ShadowRoot
  if (!shadow.adoptedStyleSheets.includes(sheet)) shadow.adoptedStyleSheets.push(sheet)

  /** Ends the form, or the request to log in, that is shown instead of the composer. */
  let end = () => {}

  return {
    chime,
    showTables,
    openMenu: (button: HTMLElement) => toggleMenu(button, view),
    openTools: (button: HTMLElement, input: HTMLTextAreaElement) => toggleTools(button, input, view),
    askWhy: (bar: HTMLElement, rate: (reason: string) => Promise<boolean>, end: () => void) =>
      askWhy(bar, rate, end, view),
    markSeen: makeMarkSeen(view),
    async identify(isOpen: boolean) {
      await identify(view, isOpen)
      if (view.visitor().user_token) end()
    },
    fillEntry(node: HTMLElement, entry: Entry) {
      const scroller = node.closest('.scroller')
      const fromEnd = scroller ? scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight : 0
      append(
        node,
        entry.note && element('div', { class: 'text' }, view.moreTexts[entry.note]),
        productList(entry, view),
        fileList(entry, view),
        entry.form && ('intro' in entry.form ? leadForm(entry.form, view) : sentForm(entry.form, view)),
        entry.stars && starRating(view),
      )
      // Scroll only if the visitor was at the end.
      if (fromEnd < NEAR_END_PX) node.scrollIntoView({ block: 'nearest' })
    },
    introduce(log: HTMLElement, composer: HTMLElement) {
      const { pre_chat: form, requires_login } = common.config
      // The page knows them already.
      if (composer.hidden || view.visitor().user_token) return
      composer.hidden = true
      const questions = log.querySelector<HTMLElement>('.fresh .buttons')
      if (questions) questions.hidden = true
      const node = element('div', { class: 'introduction' })
      end = () => {
        node.remove()
        composer.hidden = false
        if (questions) questions.hidden = false
      }
      append(
        node,
        requires_login ? element('p', { class: 'note' }, view.moreTexts.logIn) : form && leadForm(form, view, end),
      )
      log.append(node)
    },
  }
}

/** Two short synthesized tones, so that there is no file to load. Silent until the browser allows sound. */
function chime() {
  const audio = new AudioContext()
  for (const [index, frequency] of [660, 880].entries()) {
    const tone = audio.createOscillator()
    const volume = audio.createGain()
    const start = audio.currentTime + index * 0.12
    tone.frequency.value = frequency
    volume.gain.setValueAtTime(0.06, start)
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.25)
    tone.connect(volume).connect(audio.destination)
    tone.start(start)
    tone.stop(start + 0.25)
  }
  setTimeout(() => audio.close(), 1000)
}
