// The models of an evaluation, with vectors and readings of earlier runs cached in a folder, if given.
import { startModels } from '../../server/src/inference/start-models.ts'
import { absentReader, type Models } from '../../server/src/inference/types.ts'
import { cacheReadings } from './keep-readings.ts'
import { cacheVectors } from './keep-vectors.ts'

export async function startEvalModels(cache: string | undefined): Promise<Models> {
  const models = await startModels()
  return {
    embedder: cache ? cacheVectors(models.embedder, cache) : models.embedder,
    reader: cache ? cacheReadings(models.reader, cache) : models.reader,
    close: () => models.close(),
  }
}

/** As if the reader were missing or too slow. */
export const withoutReader = (models: Models): Models => ({ ...models, reader: absentReader('not wanted') })
