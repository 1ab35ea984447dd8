import type { View } from '../view/view.ts'
import type { MoreTexts } from './more-texts.ts'

/** Shared by the parts that load on use. */
export interface MoreView extends View {
  moreTexts: MoreTexts
}
