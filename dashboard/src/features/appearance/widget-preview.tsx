import type { WidgetConfig } from '@docent/contract'
import { SegmentedControl } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { useMessages } from '../../messages/messages.tsx'
import { Card } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { mountPreview } from './mount-preview.ts'

const TYPING_MS = 250

/** The real widget with settings that are not saved yet. */
export function WidgetPreview({ config }: { config: WidgetConfig }) {
  const { appearance: words } = useMessages()
  const frame = useRef<HTMLIFrameElement>(null)
  const [state, setState] = useState<'open' | 'closed'>('open')
  const [pages, setPages] = useState(0)
  const [settings] = useDebouncedValue(JSON.stringify(config), TYPING_MS)
  useEffect(() => {
    // A preview that cannot be shown is no reason to stop somebody from changing settings.
    if (frame.current) mountPreview(frame.current, JSON.parse(settings), state === 'open').catch(() => {})
  }, [settings, state, pages])
  return (
    <Card title={words.preview} about={words.previewAbout}>
      <SegmentedControl
        aria-label={words.preview}
        value={state}
        onChange={(value) => setState(value as typeof state)}
        data={Object.entries(words.previewStates).map(([value, label]) => ({ value, label }))}
      />
      <div className="preview">
        {/* Some browsers put another empty page in place of the first: then the widget is put there. */}
        <iframe ref={frame} title={words.preview} inert tabIndex={-1} onLoad={() => setPages((count) => count + 1)} />
      </div>
      <a className="inline small" href={`/chat/${config.bot_id}`} target="_blank" rel="noreferrer">
        {words.tryIt} <Icon name="out" size={16} />
      </a>
    </Card>
  )
}
