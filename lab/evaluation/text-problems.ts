// What no reply should contain: leftovers of a page's markup, and sentences that say nothing alone.

const PROBLEMS: [name: string, pattern: RegExp][] = [
  ['heading marks', /(?:^|\n)\s*#{1,6}\s|###/],
  ['empty brackets', /\(\s*\)|\[\s*\]|“\s*”/],
  ['a raw table', /\|.*\|.*\|/],
  ['HTML', /<\/?(?:p|br|div|span|a|img|ul|li|table|strong|em)\b[^>]*>|&(?:nbsp|amp|lt|gt|quot);/i],
  ['a template', /\{\{|\{%|:::/],
  ['a colon with nothing after it', /[:：]\s*$/],
  ['a cut word', /\p{L}…$/u],
  ['an image', /!\[/],
]

export function textProblems(reply: string): string[] {
  const problems = PROBLEMS.flatMap(([name, pattern]) => (pattern.test(withoutTables(reply)) ? [name] : []))
  return [...problems, ...(repeats(reply) ? ['a repeated sentence'] : [])]
}

/** A Markdown table is rendered by the widget. */
function withoutTables(reply: string): string {
  return reply.replace(/(?:^|\n)\|.+\|\n\|(?:\s*:?-+:?\s*\|)+\n(?:\|.+\|(?:\n|$))+/g, '\n')
}

function repeats(reply: string): boolean {
  const sentences = reply.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => sentence.length > 25)
  return new Set(sentences.map((sentence) => sentence.trim().toLowerCase())).size < sentences.length
}
