import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useWidgetBaseUrl } from '../../session.ts'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { texts } from './identity-texts.ts'
import samples from './signing-samples.json' with { type: 'json' }

const names = { node: 'Node', python: 'Python', php: 'PHP' } as const
type Language = keyof typeof names

export function SigningSamples({ botId, keyId }: { botId: string; keyId: string }) {
  const [language, setLanguage] = useState<Language>('node')
  const base = useWidgetBaseUrl()
  return (
    <>
      <Card title={texts.sign} about={texts.signAbout}>
        <SegmentedControl
          aria-label={texts.sign}
          value={language}
          onChange={(value) => setLanguage(value as Language)}
          data={Object.entries(names).map(([value, label]) => ({ value, label }))}
        />
        <CodeBlock text={samples[language].join('\n').replace('{{key_id}}', keyId)} />
      </Card>
      <Card title={texts.embed} about={texts.embedAbout}>
        <CodeBlock
          text={`<script src="${base}/widget.js" data-bot="${botId}" data-user-token="TOKEN" async></script>`}
        />
        <CodeBlock text="Docent.identify({ token })" />
        <p className="small">
          <a href="/docs/logged-in-visitors" target="_blank" rel="noreferrer">
            {texts.guide}
          </a>
        </p>
      </Card>
    </>
  )
}
