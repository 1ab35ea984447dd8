import { receiveItems } from '../run-in-thread.ts'
import { buildCuratedIndex, type CuratedAnswer } from './curated-index.ts'

const { items, port } = await receiveItems<CuratedAnswer>()
const index = buildCuratedIndex(items)
const { sparseWeights, denseWeights } = index.classifier
port.postMessage(index, [sparseWeights.buffer as ArrayBuffer, denseWeights.buffer as ArrayBuffer])
port.close()
