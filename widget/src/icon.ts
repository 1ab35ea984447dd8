// Line icons of our own on a 24 × 24 grid.

const paths = {
  chat: 'M12 4c4.7 0 8.5 3.2 8.5 7.2s-3.8 7.2-8.5 7.2c-1 0-2-.1-2.9-.4L4.8 20l1-3.6c-1.4-1.3-2.3-3.1-2.3-5.2C3.5 7.2 7.3 4 12 4z',
  close: 'M6 6l12 12M18 6L6 18',
  down: 'M6 9.5l6 6 6-6',
  send: 'M12 19V5.5M6 11l6-6 6 6',
  thumb: 'M7 20V10l4-7c1.5 0 2.6 1.2 2.3 2.7L12.7 9H18a2 2 0 0 1 2 2.3l-1.2 7A2 2 0 0 1 16.8 20zM7 10H4v10h3',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20c.8-3.5 3.7-5.5 7.5-5.5s6.7 2 7.5 5.5',
} as const

export type Icon = keyof typeof paths

export function icon(name: Icon): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', paths[name])
  svg.append(path)
  return svg
}
