// The models of an evaluation, with vectors and readings of earlier runs where a folder for them is named.
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

/** Answers as they are found where there is no reader for the language, or none that is in time. */
export const withoutReader = (models: Models): Models => ({ ...models, reader: absentReader('not wanted') })
