// The common form of all formats before splitting: a flat list of headings and text blocks.
export type Block =
  | { kind: 'heading'; level: number; text: string; anchor: string | null }
  | { kind: 'text'; text: string }
  /** Ends the section of a heading of this level, and all below it. */
  | { kind: 'end'; level: number }

export type ParseDocument = (content: string) => Block[]

export function textOfBlocks(blocks: Block[]): string {
  return blocks.flatMap((block) => (block.kind === 'end' ? [] : [block.text])).join('\n')
}

/** A table row readable by itself: "- Germany: Standard 3.90 €, Express 9.90 €". */
export function readableRow(head: string[], cells: string[]): string {
  const [name = '', ...rest] = cells
  // Repeating a long header on many short rows would blow up the document.
  const headLength = rest.reduce((sum, cell, index) => sum + (cell ? (head[index + 1]?.length ?? 0) : 0), 0)
  if (headLength > 100 + 8 * cells.join('').length) return `- ${cells.join(' | ')}`
  const facts = rest.flatMap((cell, index) => (cell ? [`${head[index + 1] ?? ''} ${cell}`.trim()] : []))
  return facts.length > 0 ? `- ${name}: ${facts.join(', ')}` : `- ${name}`
}
