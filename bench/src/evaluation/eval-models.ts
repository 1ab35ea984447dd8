// The models of an evaluation, with vectors and readings of earlier runs cached in a folder, if given.
import { startModels } from '../../../server/src/models/start-models.ts'
import { absentReader, type Models } from '../../../server/src/models/types.ts'
import { keepReadings } from './keep-readings.ts'
import { keepVectors } from './keep-vectors.ts'

export async function startEvalModels(cache: string | undefined): Promise<Models> {
  const models = await startModels()
  return {
    embedder: cache ? keepVectors(models.embedder, cache) : models.embedder,
    reader: cache ? keepReadings(models.reader, cache) : models.reader,
    close: () => models.close(),
  }
}

/** For languages without a reader, or when it is too slow. */
export const withoutReader = (models: Models): Models => ({ ...models, reader: absentReader('not wanted') })
