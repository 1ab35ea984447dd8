// ONNX Runtime: from npm in a clone; the `docent` package bundles it per platform in its runtime package.
import { createRequire } from 'node:module'

type OnnxRuntime = typeof import('onnxruntime-node')

const require = createRequire(import.meta.url)

export function loadOnnxRuntime(): OnnxRuntime {
  try {
    return require(`@docent/runtime-${process.platform}-${process.arch}`) as OnnxRuntime
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    return require('onnxruntime-node') as OnnxRuntime
  }
}
