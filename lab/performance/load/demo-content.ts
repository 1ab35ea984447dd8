// Content and questions of the benchmarked bot: the demo shop's pages, for several branches.
import { readdirSync, readFileSync } from 'node:fs'

const DEMO = new URL('../../../demo/', import.meta.url)
const TOWNS = ['Graz', 'Lyon']

/** About 300 passages. */
export function documents(): object[] {
  const pages = readdirSync(new URL('pages/', DEMO)).filter((name) => name.endsWith('.md'))
  return TOWNS.flatMap((town) =>
    pages.map((name) => {
      const markdown = readFileSync(new URL(`pages/${name}`, DEMO), 'utf8').replaceAll(/^# (.*)$/gm, `# $1 in ${town}`)
      const id = `${town}-${name}`.toLowerCase()
      return { id, title: `${name} ${town}`, url: `https://shop.test/${id}`, markdown }
    }),
  )
}

export function questions(): string[] {
  const all: { question: string }[] = JSON.parse(readFileSync(new URL('questions.json', DEMO), 'utf8'))
  return all.map(({ question }) => question)
}
