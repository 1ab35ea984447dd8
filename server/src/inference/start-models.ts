// Starts the model process. Never throws: a missing model or runtime yields an absent embedder or reader.
import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { bundledModel, modelName, modelProblem } from './model-files.ts'
import { ModelProcess, type ModelReply, type ModelSettings } from './model-process-owner.ts'
import { absentModels, type Models } from './types.ts'

interface ModelOptions {
  /** Folder of a sentence model in the model hub layout; the bundled one by default. */
  modelDir?: string
  /** False if vectors come from a provider. */
  embeds?: boolean
  /** Called with the reason when a request fails. */
  onFailure?: (reason: string) => void
}

const HUB_MODEL_FILE = 'onnx/model_q4.onnx'
const LONGEST_TEXT_TOKENS = 256
const BUNDLED_TEXT_TOKENS = 192
const LONGEST_START_MS = 60_000

export async function startModels({ modelDir, embeds = true, onFailure }: ModelOptions = {}): Promise<Models> {
  const problems = {
    embedder: modelDir || !embeds ? null : await modelProblem('embedder'),
    reader: await modelProblem('reader'),
  }
  const embedder = modelDir
    ? { dir: modelDir, file: HUB_MODEL_FILE, maxTokens: LONGEST_TEXT_TOKENS }
    : { ...bundledModel('embedder'), maxTokens: BUNDLED_TEXT_TOKENS }
  const settings: ModelSettings = {
    embedder: embeds && !problems.embedder ? embedder : null,
    reader: problems.reader ? null : bundledModel('reader'),
    // Visitors wait for the reader, but more than two cores gain little on so few passages.
    threads: Math.min(2, availableParallelism()),
  }
  const child = fork(fileURLToPath(new URL('./model-process.ts', import.meta.url)), [JSON.stringify(settings)], {
    serialization: 'advanced',
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const reply = await firstReply(child)
  if (typeof reply === 'string') {
    child.kill('SIGKILL')
    return absentModels(reply)
  }
  const loadResult = (problem: string | null, name: string | null) => (problem ? { problem } : { model: name ?? '' })
  return new ModelProcess(
    child,
    {
      embedder: loadResult(problems.embedder ?? reply.embedderProblem, modelName(modelDir ? { modelDir } : {})),
      reader: loadResult(problems.reader ?? reply.readerProblem, modelName({}, 'reader')),
    },
    onFailure,
  )
}

/** The first message of the process, or why there is none: a missing native library ends it early. */
function firstReply(child: ChildProcess): Promise<Extract<ModelReply, { kind: 'ready' }> | string> {
  return new Promise((resolve) => {
    setTimeout(resolve, LONGEST_START_MS, 'the model process did not start in time').unref()
    child.once('message', (reply: ModelReply) => resolve(reply.kind === 'ready' ? reply : 'the model process failed'))
    child.once('error', (error) => resolve(String(error)))
    child.once('exit', (code) => resolve(`the model process ended with code ${code}`))
  })
}
