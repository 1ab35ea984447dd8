import type { WidgetConfig } from '@docent/contract'
import { SegmentedControl } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'

const TYPING_MS = 250

/** The real widget with the unsaved settings. */
export function WidgetPreview({ config }: { config: WidgetConfig }) {
  const { appearance: texts } = useTexts()
  const frame = useRef<HTMLIFrameElement>(null)
  const [state, setState] = useState<'open' | 'closed'>('open')
  const [pages, setPages] = useState(0)
  const [settings] = useDebouncedValue(JSON.stringify(config), TYPING_MS)
  useEffect(() => {
    // A broken preview must not keep anyone from changing settings.
    if (frame.current) mountPreview(frame.current, JSON.parse(settings), state === 'open').catch(() => {})
  }, [settings, state, pages])
  return (
    <Card title={texts.preview} about={texts.previewAbout}>
      <SegmentedControl
        aria-label={texts.preview}
        value={state}
        onChange={(value) => setState(value as typeof state)}
        data={Object.entries(texts.previewStates).map(([value, label]) => ({ value, label }))}
      />
      <div className="preview">
        {/* Some browsers replace the frame's initial empty page, so the widget is mounted again on load. */}
        <iframe ref={frame} title={texts.preview} inert tabIndex={-1} onLoad={() => setPages((count) => count + 1)} />
      </div>
      <a className="inline small" href={`/chat/${config.bot_id}`} target="_blank" rel="noreferrer">
        {texts.tryIt} <Icon name="out" size={16} />
      </a>
    </Card>
  )
}

type FrameWindow = Window & typeof globalThis
interface Chat extends HTMLElement {
  open(): void
}

/**
 * Mounts the real widget in an empty frame with a simulated server: it gets the unsaved settings, and nothing is sent
 * or stored.
 */
async function mountPreview(frame: HTMLIFrameElement, config: WidgetConfig, isOpen: boolean) {
  const view = frame.contentWindow as FrameWindow | null
  const page = frame.contentDocument
  if (!view || !page) return
  drawPage(page, config)
  view.fetch = (request) =>
    String(request).includes('/config?') ? Promise.resolve(Response.json(config)) : previewFetch(String(request))
  Object.defineProperty(view, 'localStorage', { configurable: true, get: denyStorage })
  // The opened chat must not take the focus from the field being edited.
  view.HTMLElement.prototype.focus = () => {}
  await loadScript(page)
  page.querySelector('docent-chat')?.remove()
  const chat = page.createElement('docent-chat') as Chat
  chat.setAttribute('bot', config.bot_id)
  chat.setAttribute('server', location.origin)
  page.body.append(chat)
  if (isOpen) chat.open()
}

/** Only the widget's texts are really loaded; every other request would come from a visitor. */
function previewFetch(address: string): Promise<Response> {
  return address.includes('/widget/')
    ? fetch(address)
    : Promise.reject(new TypeError('Nothing is sent from a preview.'))
}

/** Blocks storage, so that the widget keeps everything in memory. */
function denyStorage(): never {
  throw new DOMException('Nothing is kept by a preview.', 'SecurityError')
}

const scripts = new WeakMap<Document, Promise<void>>()

function loadScript(page: Document): Promise<void> {
  const knownLoad = scripts.get(page)
  if (knownLoad) return knownLoad
  const scriptLoad = new Promise<void>((resolve, reject) => {
    const script = page.createElement('script')
    script.src = `${location.origin}/widget.js`
    script.onload = () => resolve()
    script.onerror = reject
    page.head.append(script)
  })
  scripts.set(page, scriptLoad)
  return scriptLoad
}

/**
 * Draws a placeholder page of plain blocks. Styles are set by script, because the content security policy forbids style
 * elements.
 */
function drawPage(page: Document, { theme }: WidgetConfig) {
  page.documentElement.style.colorScheme = theme === 'auto' ? 'light dark' : theme
  if (page.body.childElementCount > 0) return
  Object.assign(page.body.style, { margin: '0', padding: '28px', background: 'Canvas' })
  for (const width of ['55%', '92%', '84%', '88%', '40%']) {
    const block = page.createElement('div')
    const background = 'color-mix(in srgb, CanvasText 9%, Canvas)'
    Object.assign(block.style, { width, height: '14px', margin: '0 0 16px', borderRadius: '7px', background })
    page.body.append(block)
  }
}
