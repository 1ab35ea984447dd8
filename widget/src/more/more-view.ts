import type { View } from '../view/view.ts'
import type { MoreWords } from './more-words.ts'

/** What the parts that load on use are handed. */
export interface MoreView extends View {
  moreWords: MoreWords
}
