// The models bundled with Docent, in models/ (lab/training/README.md describes how they were trained).
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

type BundledModel = 'embedder' | 'reader'

interface ModelCard {
  name: string
  sha256: Record<string, string>
}

const MODEL_FILE = 'model.onnx'

export function bundledModel(kind: BundledModel): { dir: string; file: string } {
  return { dir: fileURLToPath(new URL(`../../../models/${kind}`, import.meta.url)), file: MODEL_FILE }
}

function readCard(kind: BundledModel): ModelCard | undefined {
  try {
    return JSON.parse(readFileSync(join(bundledModel(kind).dir, 'model.json'), 'utf8')) as ModelCard
  } catch {
    return undefined
  }
}

/** Why a bundled model cannot be used; null if its checksums match. Damage must not change answers silently. */
export async function modelProblem(kind: BundledModel): Promise<string | null> {
  const card = readCard(kind)
  if (!card) return `models/${kind}/model.json is missing or damaged`
  for (const [name, sum] of Object.entries(card.sha256)) {
    if ((await sha256(join(bundledModel(kind).dir, name))) !== sum)
      return `models/${kind}/${name} is missing or damaged`
  }
  return null
}

async function sha256(path: string): Promise<string> {
  if (!existsSync(path)) return 'absent'
  const hash = createHash('sha256')
  const file = await open(path)
  // Reuse one buffer: a stream would allocate as much garbage as the model is large.
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

/** The name a model's vectors are stored under, known before the model has started; null without a model. */
export function modelName(
  settings: { modelDir?: string; provider?: { baseUrl: string; model: string } } | null,
  kind: BundledModel = 'embedder',
): string | null {
  // Different servers may use the same name for different models.
  if (settings?.provider) return `${settings.provider.model} at ${new URL(settings.provider.baseUrl).host}`
  if (settings?.modelDir) return basename(settings.modelDir)
  return settings ? (readCard(kind)?.name ?? null) : null
}

// Whole English words in the models' vocabulary, whose English part is ordered by frequency.

const SHORTEST = 3
/** Pieces of other languages come after the English ones. */
const ENGLISH_PIECES = 30_522

export interface VocabularyWords {
  /** English words, ranked by frequency. */
  wordRanks: ReadonlyMap<string, number>
  /** Frequent words of all languages, without accents. */
  frequentWords: ReadonlySet<string>
}

let vocabularyWords: VocabularyWords | undefined

/** Reads the file once per process, since that takes as long as opening all the rest. Empty if it is missing. */
export function readVocabularyWords(): VocabularyWords {
  vocabularyWords ??= wordsAmong(readVocabulary())
  return vocabularyWords
}

function wordsAmong(vocabulary: string[]): VocabularyWords {
  const wordRanks = new Map<string, number>()
  for (const [rank, token] of vocabulary.slice(0, ENGLISH_PIECES).entries()) {
    if (token.length >= SHORTEST && /^[a-z]+$/.test(token)) wordRanks.set(token, rank)
  }
  const frequentWords = new Set(vocabulary.filter((token) => token.length >= SHORTEST && /^\p{L}+$/u.test(token)))
  return { wordRanks, frequentWords }
}

function readVocabulary(): string[] {
  try {
    return readFileSync(join(bundledModel('reader').dir, 'vocab.txt'), 'utf8').split('\n')
  } catch {
    return []
  }
}
