import type { View } from '../view/view.ts'
import type { MoreWords } from './more-words.ts'

/** Shared by the parts that load on use. */
export interface MoreView extends View {
  moreWords: MoreWords
}
