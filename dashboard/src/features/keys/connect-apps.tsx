import { useTexts } from '../../texts/texts.tsx'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'

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
