import { useMessages } from '../../messages/messages.tsx'
import { Card } from '../../ui/card.tsx'
import { Code } from '../../ui/code.tsx'

/** URLs for apps that use the OpenAI API or MCP, with a key of this bot. */
export function ConnectApps({ botId }: { botId: string }) {
  const { keys: words } = useMessages()
  return (
    <>
      <Card title={words.openAi} about={words.openAiAbout}>
        <Code text={`${location.origin}/v1`} label={words.copyBaseUrl} />
        <Code text={openAiSample(botId)} />
      </Card>
      <Card title={words.mcp} about={words.mcpAbout}>
        <Code text={`${location.origin}/mcp`} label={words.copyMcpUrl} />
        <Code text={mcpSample()} />
      </Card>
    </>
  )
}

const openAiSample = (botId: string) => `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${location.origin}/v1', apiKey: 'DOCENT_API_KEY' })
const completion = await client.chat.completions.create({
  model: '${botId}',
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
