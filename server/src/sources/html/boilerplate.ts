// Phrases around help centre articles, as whole blocks, in common languages.
import type { Block } from '../documents/document-blocks.ts'

const LONGEST = 160

const feedback = [
  'was this (?:article|page|answer|topic|information|content|document|guide)? ?(?:helpful|useful)',
  'did this (?:article|page|answer|information)? ?(?:help(?: you)?|answer your question|solve your problem)',
  'is this (?:page|article) (?:helpful|useful)',
  'how (?:helpful|useful) was this (?:article|page)',
  '\\d+ (?:out )?of \\d+ (?:people )?found this (?:article |page )?(?:helpful|useful)',
  'war dieser (?:artikel|beitrag) hilfreich',
  'war diese (?:seite|antwort|information) hilfreich',
  '\\d+ von \\d+ fanden dies hilfreich',
  'cet article vous a-t-il (?:été utile|aidé)',
  'cette page vous a-t-elle été utile',
  '¿?(?:fue|te ha resultado|le resultó) útil (?:este artículo|esta página)',
  '¿?te ha resultado útil',
].join('|')
const answers = '(?:yes|no|ja|nein|oui|non|sí|👍|👎|\\s|[/|·,])*'
const feedbackOnly = new RegExp(`^(?:${feedback})[\\s?？!.]*${answers}$`, 'iu')

const leads = [
  'skip to (?:main )?content',
  'back to (?:top|home|help cent(?:er|re)|all articles|overview)',
  'zum (?:inhalt|seitenanfang)(?: springen)?',
  'nach oben',
  'edit this page(?: on github)?',
  '(?:previous|next|prev)(?: (?:article|page|post|topic))?',
  '(?:yes no|ja nein)',
].join('|')
const lead = new RegExp(`^[\\s←→‹›«»]*(?:${leads})[\\s←→‹›«»]*$`, 'iu')

const listTitles = [
  '(?:related|similar|recommended|popular|more|other|further) (?:articles?|pages?|topics?|posts?|links?|resources|questions|guides|content|reading)',
  'related|see also|further reading|you (?:may|might) also (?:like|find (?:this )?(?:helpful|useful))',
  '(?:in|on) this (?:article|page|section|guide)|table of contents|contents|jump to|page contents',
  '(?:previous|next)(?: (?:article|page))?|articles in this section|recently viewed(?: articles)?',
  '(?:ähnliche|verwandte|weitere|passende|beliebte) (?:artikel|themen|beiträge|seiten|links|fragen)|siehe auch|weiterführende (?:links|artikel)',
  'in diesem (?:artikel|beitrag|abschnitt)|auf dieser seite|inhalt|inhaltsverzeichnis',
  'articles? (?:connexes|associés|liés|similaires)|voir aussi|dans cet article|sur cette page|sommaire|table des matières',
  'artículos relacionados|ver también|en este artículo|en esta página|contenido|índice',
].join('|')
const listTitle = new RegExp(`^(?:${listTitles})\\s*[:：…]?$`, 'iu')

/** "Was this article helpful? Yes No". */
export function asksForFeedback(text: string): boolean {
  const line = oneLine(text)
  return line.length <= LONGEST && feedbackOnly.test(line)
}

/** "Back to top", "Next article →". */
export function isNavigationPhrase(text: string): boolean {
  const line = oneLine(text)
  return line.length <= LONGEST && lead.test(line)
}

/** "Related articles", "On this page": the links below it are a list of pages or headings. */
export function isListOfPagesTitle(text: string): boolean {
  const line = oneLine(text)
  return line.length <= LONGEST && listTitle.test(line)
}

/** "We accept:" or "Which banks are supported?" before a list of links makes it an answer. */
export function introducesLinks(before: Block | undefined): boolean {
  if (before?.kind === 'heading') return /[?？]\s*$/.test(before.text)
  return before?.kind === 'text' && /[:：]\s*$/.test(before.text) && !isListOfPagesTitle(before.text)
}

function oneLine(text: string): string {
  return text
    .slice(0, 2 * LONGEST)
    .replace(/\s+/g, ' ')
    .trim()
}
