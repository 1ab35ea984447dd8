// The models of an evaluation, with vectors of earlier runs where a folder for them is named.
import { startModels } from '../../server/src/models/start-models.ts'
import { absentReader, type Models } from '../../server/src/models/types.ts'
import { keepVectors } from './keep-vectors.ts'

export async function startEvalModels(vectorsFolder: string | undefined): Promise<Models> {
  const models = await startModels()
  return {
    embedder: vectorsFolder ? keepVectors(models.embedder, vectorsFolder) : models.embedder,
    reader: models.reader,
    close: () => models.close(),
  }
}

/** Answers as they are found where there is no reader for the language, or none that is in time. */
export const withoutReader = (models: Models): Models => ({ ...models, reader: absentReader('not wanted') })
