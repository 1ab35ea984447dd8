// Reads JSON-LD: questions and answers of an FAQ, product facts, breadcrumbs.
const DEEPEST = 12
const MAX_NODES = 5000

type Node = Record<string, unknown>

export interface StructuredFacts {
  isArticle: boolean
  questions: { question: string /** May hold markup. */; answer: string }[]
  products: { name: string; facts: string[] }[]
  /** From the top of the site to the page's parent. */
  trail: string[]
}

export function structuredFacts(data: unknown[]): StructuredFacts {
  const nodes: Node[] = []
  collect(data, nodes, 0)
  const ofType = (type: RegExp) => nodes.filter((node) => list(node['@type']).some((name) => type.test(String(name))))
  return {
    isArticle: ofType(/(^|\/)\w*Article$|BlogPosting$/).length > 0,
    questions: ofType(/(^|\/)Question$/).flatMap(readQuestion),
    products: ofType(/(^|\/)Product(Group)?$/).flatMap(readProduct),
    trail: readTrail(ofType(/(^|\/)BreadcrumbList$/)[0]),
  }
}

function collect(value: unknown, nodes: Node[], depth: number) {
  if (depth > DEEPEST || nodes.length >= MAX_NODES || typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) nodes.push(value as Node)
  for (const part of Object.values(value)) collect(part, nodes, depth + 1)
}

function readQuestion(node: Node): StructuredFacts['questions'] {
  const question = text(node.name)
  const accepted = list(node.acceptedAnswer)[0] ?? list(node.suggestedAnswer)[0]
  const answer = text((accepted as Node | undefined)?.text)
  return question && answer ? [{ question, answer }] : []
}

function readProduct(node: Node): StructuredFacts['products'] {
  const name = text(node.name)
  const offer = (list(node.offers)[0] ?? {}) as Node
  const rating = (list(node.aggregateRating)[0] ?? {}) as Node
  const price = text(offer.price) || text(offer.lowPrice)
  const reviews = text(rating.reviewCount) || text(rating.ratingCount)
  const availability = text(offer.availability).split('/').at(-1) ?? ''
  const facts = [
    fact('Price', price && `${price} ${text(offer.priceCurrency)}`.trim()),
    fact('Availability', availability.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()),
    fact('Brand', text((node.brand as Node | undefined)?.name) || text(node.brand)),
    fact('SKU', text(node.sku)),
    fact('Rating', text(rating.ratingValue) && `${text(rating.ratingValue)}${reviews && ` (${reviews} reviews)`}`),
  ].flat()
  return name && facts.length > 0 ? [{ name, facts }] : []
}

function readTrail(node: Node | undefined): string[] {
  const items = list(node?.itemListElement)
    .filter((item): item is Node => typeof item === 'object' && item !== null)
    .sort((a, b) => Number(a.position) - Number(b.position))
  const names = items.map((item) => text(item.name) || text((item.item as Node | undefined)?.name))
  // The first is the home page, the last the page itself.
  return names.slice(1, -1).filter(Boolean).slice(0, 5)
}

function fact(label: string, value: string): string[] {
  return value ? [`${label}: ${value}`] : []
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim().slice(0, 20_000) : ''
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
}
