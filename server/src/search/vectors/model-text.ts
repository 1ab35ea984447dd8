// Prepares text for the sentence model, which was trained on prose: attribute names and JSON syntax are noise to it.

const identifierJoin = /(?<=[\p{L}\p{N}])_(?=[\p{L}\p{N}])/gu
const jsonMarks = /[{}[\]"]+/g
const spaces = /\s+/g

export function modelText(text: string): string {
  return text.replace(identifierJoin, ' ').replace(jsonMarks, ' ').replace(spaces, ' ').trim()
}

/**
 * A passage for the sentence model: its topic first, in case the end is truncated. Includes the questions that it
 * answers: one vector of both finds more than one of each, or their mean (lab/reports/quality-details.md).
 */
export function passageModelText(title: string, headings: string[], text: string, questions: string[] = []): string {
  const names = [...new Set([title, ...headings].map((name) => name.trim()).filter(Boolean))]
  return modelText([names.join(' > '), questions.join(' '), text].filter(Boolean).join('. '))
}
