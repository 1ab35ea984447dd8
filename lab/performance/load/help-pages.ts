// Help pages of realistic length, recombined from the demo shop's sentences; deterministic.
import { readDemoPages } from '../../../server/src/demo/shop.ts'
import { sentences } from '../../../server/src/language/sentences.ts'

const SECTIONS = 6

export function helpPages(count: number): { id: string; title: string; url: string; html: string }[] {
  const random = makeRandom(11)
  const pick = <T>(list: T[]): T => list[Math.floor(random() * list.length)] as T
  const pages = readDemoPages().filter(({ language }) => language === 'en')
  const pool = pages.flatMap(({ markdown }) =>
    sentences(markdown, 'en')
      .map(({ start, end }) =>
        markdown
          .slice(start, end)
          .replace(/[#|*<>&[\]]/g, ' ')
          .trim(),
      )
      .filter((sentence) => sentence.split(' ').length > 5),
  )
  const some = (least: number, most: number) =>
    Array.from({ length: least + Math.floor(random() * (most - least + 1)) }, () => pick(pool))
  const words = (text: string) => text.split(' ').slice(0, 6).join(' ')

  return Array.from({ length: count }, (_, number) => {
    const sections = Array.from({ length: SECTIONS }, (_, section) => {
      const list =
        section % 2 === 0
          ? `<ol>${some(3, 5)
              .map((step) => `<li>${step}</li>`)
              .join('')}</ol>`
          : ''
      return `<h2 id="s${section}">${words(pick(pool))} (${number}.${section})</h2>${paragraph()}${paragraph()}${list}`
    })
    const title = `${pick(pages).title} ${number}`
    const html = `<h1>${title}</h1>${paragraph()}${sections.join('')}${table()}`
    return { id: `page-${number}`, title, url: `https://help.test/${number}`, html }
  })

  function paragraph(): string {
    return `<p>${some(2, 5).join(' ')}</p>`
  }

  function table(): string {
    const rows = Array.from(
      { length: 5 },
      (_, row) => `<tr><td>Size ${row}</td><td>${row * 7} €</td><td>${row} days</td></tr>`,
    )
    return `<table><tr><th>Parcel</th><th>Price</th><th>Time</th></tr>${rows.join('')}</table>`
  }
}

function makeRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 16_807) % 2_147_483_647
    return state / 2_147_483_647
  }
}
