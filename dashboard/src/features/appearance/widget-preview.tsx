import type { WidgetConfig } from '@docent/contract'
import { SegmentedControl } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { mountPreview } from './mount-preview.ts'

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
