// Runs in its own process, so that the models' memory is freed with it: embeds texts and reads passages.
import { makeEmbed } from './embed-texts.ts'
import type { ModelReply, ModelRequest, ModelSettings } from './model-protocol.ts'
import { makeRead } from './read-passages.ts'

const settings = JSON.parse(process.argv[2] ?? '{}') as ModelSettings
const send = (reply: ModelReply) => process.send?.(reply)
// The parent is gone.
process.on('disconnect', () => process.exit(0))

const embed = await load(settings.embedder && (() => makeEmbed(settings.embedder!, settings.threads)))
const loadedReader = await load(settings.reader && (() => makeRead(settings.reader!, settings.threads)))

process.on('message', async (request: ModelRequest) => {
  try {
    if (request.kind === 'embed') send({ kind: 'vectors', ...(await embed.model!(request.texts)) })
    else send({ kind: 'readings', readings: await loadedReader.model!(request.question, request.passages) })
  } catch (error) {
    send({ kind: 'failed', reason: String(error) })
  }
})
send({ kind: 'ready', embedderProblem: embed.problem, readerProblem: loadedReader.problem })

async function load<T>(create: (() => Promise<T>) | null): Promise<{ model: T | null; problem: string | null }> {
  try {
    return create ? { model: await create(), problem: null } : { model: null, problem: 'switched off' }
  } catch (error) {
    return { model: null, problem: String(error) }
  }
}
