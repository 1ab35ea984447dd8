// A bot in an enterprise workspace, with a key whose quota no benchmark reaches.
const NO_LIMIT = 100_000_000

/** A webhook URL becomes the key's mirror and receives the bot's events, too. */
export async function createBot(baseUrl: string, adminToken: string, documents: object[], webhookUrl?: string) {
  const post = async (path: string, body: object) => {
    const response = await fetch(`${baseUrl}/api/manage/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as { id: string; key: string }
  }
  const workspace = await post('/workspaces', { name: 'Bench', plan: 'enterprise' })
  const bot = await post('/bots', { name: 'Bench', workspace_id: workspace.id, language: 'en' })
  await post(`/bots/${bot.id}/documents`, { documents })
  if (webhookUrl) await post(`/bots/${bot.id}/webhooks`, { url: webhookUrl })
  const mirror = webhookUrl ? { webhook_url: webhookUrl } : {}
  const { key } = await post(`/bots/${bot.id}/keys`, { name: 'bench', daily_limit: NO_LIMIT, ...mirror })
  return { botId: bot.id, key }
}
