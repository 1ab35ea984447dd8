import { type Command, OK, requireText, UsageError } from '../command.ts'
import { allItems, managementClient, SERVER_USAGE, serverOptions } from '../server.ts'

export const keys: Command = {
  name: 'keys',
  summary: 'list, create, rotate and revoke API keys',
  usage: `[create <name> | rotate <key id> | revoke <key id> | sync] --bot <id>

A new key is shown once. "sync" creates or rotates the bot's sync key.

  --bot <id>           the bot (bot_…)
${SERVER_USAGE}`,
  options: { ...serverOptions, bot: { type: 'string' } },

  async run(input, terminal) {
    const [action = 'list', ...words] = input.positionals
    const botId = requireText(input, 'bot')
    const client = managementClient(input, terminal)
    const word = words.join(' ').trim()
    if (!word && ['create', 'rotate', 'revoke'].includes(action))
      throw new UsageError(`docent keys ${action} needs ${action === 'create' ? 'a name' : 'the id of the key'}.`)
    const showKey = (key: { key: string }) => {
      terminal.say(key.key)
      terminal.result(key)
      return OK
    }
    const params = { botId, keyId: word }
    switch (action) {
      case 'create': {
        const body = { name: word }
        return showKey(await client.request('POST /api/manage/v1/bots/{botId}/keys', { params: { botId }, body }))
      }
      case 'rotate':
        return showKey(
          await client.request('POST /api/manage/v1/bots/{botId}/keys/{keyId}/rotate', { params, body: {} }),
        )
      case 'sync':
        return showKey(
          await client.request('POST /api/manage/v1/bots/{botId}/sync-key', { params: { botId }, body: {} }),
        )
      case 'revoke': {
        const key = await client.request('POST /api/manage/v1/bots/{botId}/keys/{keyId}/revoke', { params })
        terminal.say(`${key.id} is revoked.`)
        terminal.result(key)
        return OK
      }
      case 'list': {
        const list = (query: object) =>
          client.request('GET /api/manage/v1/bots/{botId}/keys', { params: { botId }, query })
        const items = await allItems(list)
        for (const { id, name, state } of items) terminal.say(`${id}  ${name}  ${state}`)
        terminal.result(items)
        return OK
      }
      default:
        throw new UsageError(`Unknown command "docent keys ${action}".`)
    }
  },
}
