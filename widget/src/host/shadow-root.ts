// The shadow root: isolated from the page's styles, above its layers, and fitted to the screen.
import type { WidgetConfig } from '@docent/contract'
import { element } from '../view/element.ts'
import { style } from '../view/style/style.ts'
import { themeColours } from '../view/style/theme.ts'
import type { Locale } from './load-texts.ts'

const PHONE = '(max-width:480px),(max-height:480px)'
const FOCUSABLE = 'a[href],button:not(:disabled),textarea,input,[tabindex="0"]'

interface Options extends Omit<Locale, 'texts'> {
  host: HTMLElement
  mode: string
  /** Null until loaded. */
  config: WidgetConfig | null
}

let sheet: CSSStyleSheet | undefined

export function makeShadowRoot({ host, mode, language, direction, config }: Options) {
  const shadow = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  if (!sheet) {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(style)
  }
  shadow.adoptedStyleSheets = [sheet]
  const root = element('div', { lang: language, dir: direction })
  shadow.replaceChildren(root)
  const ending = new AbortController()
  const dark = matchMedia('(prefers-color-scheme:dark)')
  const phone = matchMedia(PHONE)

  function applyTheme() {
    const { theme = 'auto', position = 'right', colour = '#2f6f4f' } = config ?? {}
    // In automatic mode, the page's colour scheme wins over the system's.
    const scheme = getComputedStyle(document.documentElement).colorScheme
    const isDarkPage = scheme === 'dark' || (dark.matches && scheme !== 'light')
    const isDark = theme === 'dark' || (theme === 'auto' && isDarkPage)
    const isOpen = root.classList.contains('open')
    root.className = ['root', mode, position, isDark ? 'dark' : 'light', isOpen ? 'open' : ''].join(' ')
    const style = {
      ...themeColours(colour, isDark),
      '--side': `${config?.offset_side_px}px`,
      '--bottom': `${config?.offset_bottom_px}px`,
    }
    for (const [name, value] of Object.entries(style)) root.style.setProperty(name, value)
  }

  /** The on-screen keyboard shrinks only the visual viewport. */
  function fitViewport() {
    if (!visualViewport) return
    root.style.setProperty('--height', `${visualViewport.height}px`)
    root.style.setProperty('--top', `${visualViewport.offsetTop}px`)
  }

  if (config?.font === 'inherit') root.style.fontFamily = getComputedStyle(document.body).fontFamily
  applyTheme()
  fitViewport()
  const watch = new MutationObserver(applyTheme)
  watch.observe(document.documentElement, { attributes: true })
  dark.addEventListener('change', applyTheme, ending)
  visualViewport?.addEventListener('resize', fitViewport, ending)
  visualViewport?.addEventListener('scroll', fitViewport, ending)
  if (mode === 'bubble' && host.showPopover && !host.matches(':popover-open')) {
    host.popover = 'manual'
    host.showPopover()
  }

  return {
    root,
    isPhone: () => phone.matches,
    /** When the panel fills the screen, Tab cycles inside it. */
    trap(event: KeyboardEvent, panel: HTMLElement) {
      if (!phone.matches) return
      const all = [...panel.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((each) => each.offsetParent)
      const from = all.indexOf(shadow.activeElement as HTMLElement)
      const next = all.at((from + (event.shiftKey ? -1 : 1)) % all.length)
      event.preventDefault()
      next?.focus()
    },
    close() {
      ending.abort()
      watch.disconnect()
      shadow.replaceChildren()
    },
  }
}
