// The sentence model was trained on prose: names of attributes and the marks of JSON are noise to it.

const identifierJoin = /(?<=[\p{L}\p{N}])_(?=[\p{L}\p{N}])/gu
const jsonMarks = /[{}[\]"]+/g
const spaces = /\s+/g

/** A text as the sentence model should read it. */
export function modelText(text: string): string {
  return text.replace(identifierJoin, ' ').replace(jsonMarks, ' ').replace(spaces, ' ').trim()
}

/**
 * A passage as the sentence model should read it: what it is about first, in case the end is cut off. Questions that it
 * answers are a part of it: one vector of both finds more than one of each, or their mean (docs/quality-details.md).
 */
export function passageModelText(title: string, headings: string[], text: string, questions: string[] = []): string {
  const names = [...new Set([title, ...headings].map((name) => name.trim()).filter(Boolean))]
  return modelText([names.join(' > '), questions.join(' '), text].filter(Boolean).join('. '))
}
