// Line icons on a 24 × 24 grid.
import { svgElement } from './element.ts'

const paths = {
  chat: 'M4 20l1.3-4.2A8.5 7.3 0 1 1 9 18z',
  close: 'M6 6l12 12M18 6L6 18',
  down: 'M6 9.5l6 6 6-6',
  send: 'M12 19V5.5M6 11l6-6 6 6',
  thumb: 'M7 20V10l4-7q3 0 2.3 3L12.7 9H20l-2 11zM7 10H4v10h3',
  menu: 'M5 11v2M12 11v2M19 11v2',
  plus: 'M12 5v14M5 12h14',
  question: 'M9 9a3 3 0 1 1 4 3q-1 1-1 2M12 18v0',
  spark: 'M12 3l2 7 7 2-7 2-2 7-2-7-7-2 7-2z',
  person: 'M8 8a4 4 0 1 0 8 0 4 4 0 1 0-8 0M4.5 20a7.5 6 0 0 1 15 0',
} as const

export type Icon = keyof typeof paths

export const icon = (name: Icon) => svgIcon(paths[name])

export const svgIcon = (lines: string) =>
  svgElement('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, svgElement('path', { d: lines }))
