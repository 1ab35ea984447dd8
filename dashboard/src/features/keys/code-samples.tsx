import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'

const names = { curl: 'curl', node: 'Node', python: 'Python', php: 'PHP' } as const
type Language = keyof typeof names

export function CodeSamples({ botId }: { botId: string }) {
  const { keys: texts } = useTexts()
  const [language, setLanguage] = useState<Language>('curl')
  return (
    <Card title={texts.samples} about={texts.samplesAbout}>
      <SegmentedControl
        aria-label={texts.samples}
        value={language}
        onChange={(value) => setLanguage(value as Language)}
        data={Object.entries(names).map(([value, label]) => ({ value, label }))}
      />
      <CodeBlock text={samples[language](`${location.origin}/api/v1/chat`, botId)} />
    </Card>
  )
}

const samples: Record<Language, (url: string, botId: string) => string> = {
  curl: (url, botId) => `curl ${url} \\
  -H "Authorization: Bearer $DOCENT_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"bot_id": "${botId}", "message": "How long does delivery take?"}'`,

  node: (url, botId) => `const apiKey = process.env.DOCENT_API_KEY
const response = await fetch('${url}', {
  method: 'POST',
  headers: {
    authorization: \`Bearer \${apiKey}\`,
    'content-type': 'application/json',
  },
  body: JSON.stringify({ bot_id: '${botId}', message: 'How long does delivery take?' }),
})
const { response: answer, sources, session_id } = await response.json()`,

  python: (url, botId) => `import json, os, urllib.request

request = urllib.request.Request(
    "${url}",
    data=json.dumps({"bot_id": "${botId}", "message": "How long does delivery take?"}).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['DOCENT_API_KEY']}",
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request) as response:
    answer = json.load(response)
print(answer["response"])`,

  php: (url, botId) => `$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'Authorization: Bearer ' . getenv('DOCENT_API_KEY'),
        'Content-Type: application/json',
    ],
    'content' => json_encode(['bot_id' => '${botId}', 'message' => 'How long does delivery take?']),
]]);
$answer = json_decode(file_get_contents('${url}', false, $context), true);
echo $answer['response'];`,
}

/** URLs for apps that use the OpenAI API or MCP, with a key of this bot. */
export function ConnectApps() {
  const { keys: texts } = useTexts()
  return (
    <>
      <Card title={texts.openAi} about={texts.openAiAbout}>
        <CodeBlock text={`${location.origin}/v1`} label={texts.copyBaseUrl} />
        <CodeBlock text={openAiSample()} />
      </Card>
      <Card title={texts.mcp} about={texts.mcpAbout}>
        <CodeBlock text={`${location.origin}/mcp`} label={texts.copyMcpUrl} />
        <CodeBlock text={mcpSample()} />
      </Card>
    </>
  )
}

const openAiSample = () => `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${location.origin}/v1', apiKey: process.env.DOCENT_API_KEY })
const completion = await client.chat.completions.create({
  model: 'docent',
  messages: [{ role: 'user', content: 'How long does delivery take?' }],
})`

const mcpSample = () => `{
  "mcpServers": {
    "docent": {
      "url": "${location.origin}/mcp",
      "headers": { "Authorization": "Bearer DOCENT_API_KEY" }
    }
  }
}`
