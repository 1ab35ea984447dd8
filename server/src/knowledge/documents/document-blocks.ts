// What every format is turned into before it is split: a flat run of headings and blocks of text.
export type Block =
  | { kind: 'heading'; level: number; text: string; anchor: string | null }
  | { kind: 'text'; text: string }
  /** What follows stands below no heading of this level or a deeper one. */
  | { kind: 'end'; level: number }

export type ParseDocument = (content: string) => Block[]

export function textOfBlocks(blocks: Block[]): string {
  return blocks.flatMap((block) => (block.kind === 'end' ? [] : [block.text])).join('\n')
}

/** A table row that stands on its own: "- Germany: Standard 3.90 €, Express 9.90 €". */
export function readableRow(head: string[], cells: string[]): string {
  const [name = '', ...rest] = cells
  // A long head on many short rows would make a large document out of a small one.
  const headLength = rest.reduce((sum, cell, index) => sum + (cell ? (head[index + 1]?.length ?? 0) : 0), 0)
  if (headLength > 100 + 8 * cells.join('').length) return `- ${cells.join(' | ')}`
  const facts = rest.flatMap((cell, index) => (cell ? [`${head[index + 1] ?? ''} ${cell}`.trim()] : []))
  return facts.length > 0 ? `- ${name}: ${facts.join(', ')}` : `- ${name}`
}
