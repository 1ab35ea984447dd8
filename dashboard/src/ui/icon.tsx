// Line icons, drawn on a grid of 24 with a stroke that follows the text's colour.
const shapes = {
  bots: 'M12 3v3M7 6h10a3 3 0 0 1 3 3v7a3 3 0 0 1-3 3H7a3 3 0 0 1-3-3V9a3 3 0 0 1 3-3zM9 11.5v1.5M15 11.5v1.5M9.5 16h5',
  overview: 'M4 5h7v7H4zM13 5h7v4h-7zM13 11h7v8h-7zM4 14h7v5H4z',
  play: 'M4 6a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-6l-5 4v-4H6a2 2 0 0 1-2-2zM8.5 8.5h7M8.5 11.5h4',
  inbox: 'M4 13l3-8h10l3 8v6H4zM4 13h5l1.500 2.500h3L15 13h5',
  lead: 'M4 5h16v14H4zM4 6l8 7 8-7',
  bell: 'M6 16v-5a6 6 0 0 1 12 0v5l1.500 2h-15zM10 20.500h4',
  keyboard: 'M3 7h18v11H3zM6.5 10.500h.01M10 10.500h.01M14 10.500h.01M17.500 10.500h.01M8 14.500h8',
  info: 'M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17zM12 11v5.500M12 7.800h.01',
  thumbUp:
    'M7 11l4-7a2 2 0 0 1 2 2v4h5.500a1.500 1.500 0 0 1 1.500 1.800l-1.300 6.500A2 2 0 0 1 16.700 20H7zM4 11h3v9H4z',
  thumbDown:
    'M7 13l4 7a2 2 0 0 0 2-2v-4h5.500a1.500 1.500 0 0 0 1.500-1.800l-1.300-6.500A2 2 0 0 0 16.700 4H7zM4 4h3v9H4z',
  knowledge: 'M5 5.5A2.5 2.5 0 0 1 7.5 3H19v15H7.5A2.5 2.5 0 0 0 5 20.5zM5 20.5A2.5 2.5 0 0 0 7.5 21H19v-3M9 7.5h6',
  globe:
    'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3.5 9.5h17M3.5 14.5h17M12 3c2.5 2.5 3.5 5.5 3.5 9s-1 6.5-3.5 9c-2.5-2.5-3.5-5.5-3.5-9S9.5 5.5 12 3z',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  text: 'M5 6h14M5 10h14M5 14h14M5 18h8',
  answer: 'M4 5h16v11h-9l-4 4v-4H4zM8.5 10.500l2.5 2.5 4.5-4.5',
  products: 'M4 8l8-4.500L20 8v8.500L12 21l-8-4.500zM4 8l8 4.500L20 8M12 12.500V21',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.500v5M9 14.500v5',
  key: 'M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11 12l8.5-8.5M16.5 6.500l3 3M13.5 9.500l2 2',
  webhook: 'M9.5 9a3.5 3.5 0 1 1 5 0l-3 5.500M7 12.500A3.5 3.5 0 1 0 10 17h6.500M15.5 15a3.5 3.5 0 1 1-1.5 4.5',
  model: 'M12 3l2 5.500L19.5 10.5 14 12.5 12 18l-2-5.500L4.5 10.5 10 8.500zM19 16v4M17 18h4',
  workspace: 'M4 20V8l8-4.500L20 8v12M4 20h16M9.5 20v-5h5v5M8.5 10.500h.01M12 10.500h.01M15.5 10.500h.01',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c.5-4 3-6 6.5-6s6 2 6.5 6M16 4.500a3.5 3.5 0 0 1 0 6.500M18 14.500c2 .8 3.2 2.6 3.5 5.5',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.500c.7-4 3.5-6 7.5-6s6.8 2 7.5 6',
  audit: 'M12 7v5l3.5 2M3.5 12A8.5 8.5 0 1 1 6 18M3.5 12l-1.5-2M3.5 12l2-1.5',
  instance: 'M4 5h16v5H4zM4 14h16v5H4zM7.5 7.500h.01M7.5 16.500h.01M11 7.500h5M11 16.500h5',
  question: 'M4 5h16v11h-9l-4 4v-4H4zM10 8.800a2 2 0 1 1 2.700 1.900c-.5.2-.7.500-.7 1M12 13.500h.01',
  chart: 'M4 4v16h16M8 16v-4M12.500 16V8M17 16v-6',
  brush:
    'M12 3a9 9 0 1 0 0 18c1.500 0 2-1 2-2s-.5-1.500-.5-2.300c0-1 .8-1.700 1.800-1.700H18a3 3 0 0 0 3-3c0-5-4-9-9-9zM7.500 12h.01M9.500 7.800h.01M14.500 7.800h.01',
  handover:
    'M12 3.500c-4.500 0-8 3-8 7.500v4M20 15v-4c0-4.500-3.500-7.500-8-7.500M4 13h3v5H5.500A1.500 1.500 0 0 1 4 16.500zM20 13h-3v5h1.500a1.500 1.500 0 0 0 1.500-1.500zM18 18c0 1.700-1.500 2.500-4 2.500',
  shield: 'M12 3l7.500 2.500v6c0 4.500-3 8-7.500 9.500-4.500-1.500-7.500-5-7.500-9.500v-6zM9 12l2.200 2.200L15.500 10',
  up: 'M6 14.500l6-6 6 6',
  down: 'M6 9.500l6 6 6-6',
  plus: 'M12 5v14M5 12h14',
  check: 'M5 12.500l4.5 4.500L19 7.5',
  close: 'M6 6l12 12M18 6L6 18',
  menu: 'M4 7h16M4 12h16M4 17h16',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  trash: 'M5 7h14M9.5 7V4.500h5V7M7 7l.8 13h8.400L17 7M10.5 11v5.500M13.5 11v5.5',
  pencil: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  refresh: 'M19.5 12a7.5 7.5 0 1 1-2.2-5.300L20 9M20 4v5h-5',
  stop: 'M7 7h10v10H7z',
  left: 'M14.5 6l-6 6 6 6',
  right: 'M9.5 6l6 6-6 6',
  updown: 'M8 10l4-4 4 4M8 14l4 4 4-4',
  out: 'M14 4h6v6M20 4l-9 9M18 14v5H5V6h5',
  leave: 'M14 5H5v14h9M10 12h11M17.5 8.500L21 12l-3.5 3.5',
  search: 'M11 4.500a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.8 15.800L20 20',
  send: 'M4 12l16-7-6 15-3-6zM11 14l4-4',
  upload: 'M12 16V5M7.5 9L12 4.5 16.5 9M5 16v3h14v-3',
  download: 'M12 4.500V16M7.5 11.500L12 16l4.5-4.500M5 16v3h14v-3',
  warn: 'M12 4l9 16H3zM12 10v4.500M12 17.200h.01',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
} as const

export type IconName = keyof typeof shapes

export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.6}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={shapes[name]} />
    </svg>
  )
}
