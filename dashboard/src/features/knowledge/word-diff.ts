// What changed between two texts, word by word.

export interface DiffPart {
  kind: 'same' | 'removed' | 'added'
  text: string
}

// Beyond this, comparing takes too long, and nobody reads it word by word.
const MAX_WORDS = 1500

export function diffWords(before: string, after: string): DiffPart[] {
  const [old, now] = [wordsOf(before), wordsOf(after)]
  if (old.length > MAX_WORDS || now.length > MAX_WORDS)
    return joinParts([...old.map((text) => part('removed', text)), ...now.map((text) => part('added', text))])
  const lengths = commonLengths(old, now)
  const parts: DiffPart[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    const [was, is] = [old[i], now[j]]
    if (was !== undefined && was === is) {
      parts.push(part('same', was))
      i++
      j++
    } else if (was !== undefined && (is === undefined || at(lengths, i + 1, j) >= at(lengths, i, j + 1))) {
      parts.push(part('removed', was))
      i++
    } else if (is !== undefined) {
      parts.push(part('added', is))
      j++
    }
  }
  return joinParts(parts)
}

/** With the space after each, so that joined words are the text. */
function wordsOf(text: string): string[] {
  return text.match(/\S+\s*/g) ?? []
}

/** Length of the longest common sequence of what follows each pair of positions. */
function commonLengths(old: string[], now: string[]): Uint16Array[] {
  const rows = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1))
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--) {
      const row = rows[i]
      if (!row) continue
      row[j] = old[i] === now[j] ? at(rows, i + 1, j + 1) + 1 : Math.max(at(rows, i + 1, j), at(rows, i, j + 1))
    }
  return rows
}

function at(rows: Uint16Array[], i: number, j: number): number {
  return rows[i]?.[j] ?? 0
}

function part(kind: DiffPart['kind'], text: string): DiffPart {
  return { kind, text }
}

/** Neighbours of one kind become one part. */
function joinParts(parts: DiffPart[]): DiffPart[] {
  const all: DiffPart[] = []
  for (const { kind, text } of parts) {
    const last = all.at(-1)
    if (last?.kind === kind) last.text += text
    else all.push({ kind, text })
  }
  return all
}
