// Receives Docent's webhooks: checks who sent them, answers at once, and works on each event only once.
//
//   WEBHOOK_SECRET=whsec_… node_modules/.bin/node examples/webhook-receiver/receiver.ts
//
// While a secret is being replaced, give both, separated by a comma.
import { createServer, type IncomingMessage } from 'node:http'
import { verifyWebhook, WebhookVerificationError } from '@docent/sdk'

const secrets = (process.env.WEBHOOK_SECRET ?? '').split(',')
const LARGEST_BYTES = 1024 * 1024
/** Deliveries come at least once. Keep this in your database when you run for longer than this example. */
const seen = new Set<string>()

interface DocentEvent {
  id: string
  event_type: string
  session_id: string | null
}

const server = createServer(async (request, response) => {
  try {
    const event = await verifyWebhook<DocentEvent>({
      body: await readBody(request),
      headers: request.headers,
      secret: secrets,
    })
    // Answer first: whatever takes longer than 15 seconds counts as failed and is sent again.
    response.writeHead(204).end()
    if (seen.has(event.id)) return
    seen.add(event.id)
    console.log(`${event.event_type} ${event.session_id ?? ''}`)
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) console.error(error)
    response.writeHead(400).end()
  }
})

server.listen(Number(process.env.PORT ?? 9000), () => {
  const address = server.address()
  console.log(`Listening on port ${typeof address === 'object' ? address?.port : address}`)
})

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > LARGEST_BYTES) throw new WebhookVerificationError('The body is too large.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
