import type { Entry } from '../chat/entries.ts'
import { element } from '../view/element.ts'
import type { MoreView } from './more-view.ts'

/** Shows "Seen" under the visitor's newest message that an agent has read. */
export function makeMarkSeen({ moreTexts }: Pick<MoreView, 'moreTexts'>) {
  const mark = element('div', { class: 'who' }, moreTexts.seen)
  return (views: Map<Entry, { node: HTMLElement }>, until: string) => {
    const seenViews = [...views].filter(([{ id, role, created_at }]) => id && role === 'visitor' && created_at <= until)
    const newest = seenViews.sort(([a], [b]) => (a.created_at < b.created_at ? -1 : 1)).at(-1)
    newest?.[1].node.append(mark)
  }
}
