// Reads articles of a Zendesk help centre, as its API returns them: {"articles": [{"title", "body", "html_url"}]}.
import { decodeText } from '../extraction/decode-text.ts'
import { UnreadableFile } from '../files/unreadable-file.ts'
import { type ExportFile, type ExportPage, type ExportProblem, shortHash } from './export-page.ts'

interface Article {
  id?: unknown
  title?: unknown
  name?: unknown
  body?: unknown
  html_url?: unknown
  draft?: unknown
}

export function readZendeskArticles({ path, bytes }: ExportFile, problems: ExportProblem[]): ExportPage[] {
  return articlesOf(bytes).flatMap((article, index): ExportPage | [] => {
    const { id, title, name, body, html_url: url, draft } = article ?? {}
    const shownTitle = [title, name].find((text) => typeof text === 'string' && text.trim() !== '') as
      | string
      | undefined
    if (draft === true) return []
    if (!shownTitle || typeof body !== 'string' || body.trim() === '') {
      const what = shownTitle ? 'body' : 'title'
      problems.push({ name: `${path}, article ${index + 1}`, message: `The article has no ${what}.` })
      return []
    }
    const link = typeof url === 'string' && /^https?:\/\//.test(url) && URL.canParse(url) ? url : null
    const hasId = typeof id === 'number' || (typeof id === 'string' && /^\w{1,64}$/.test(id))
    const key = hasId ? String(id) : shortHash(link ?? shownTitle)
    return { id: `zendesk-${key}`, title: shownTitle.trim(), url: link, format: 'html', content: body }
  })
}

function articlesOf(bytes: Buffer): (Article | null)[] {
  const missing = new UnreadableFile('This JSON has no articles of a Zendesk help centre.')
  try {
    const { articles } = JSON.parse(decodeText(bytes, '').replace(/^\uFEFF/, '')) as { articles?: unknown }
    if (Array.isArray(articles)) return articles as (Article | null)[]
  } catch {
    throw missing
  }
  throw missing
}
