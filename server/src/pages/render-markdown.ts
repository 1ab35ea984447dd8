// Renders this repository's Markdown as HTML, for the demo shop and the docs site.
import { lexer, parse, Renderer, type Tokens } from 'marked'
import { slug } from '../sources/documents/parse-markdown.ts'
import { escapeHtml, Html } from './page-html.ts'

/** A link's target on the site; null if the site has no such page. */
type LinkTo = (href: string) => string | null

const toPage: LinkTo = (href) => href.replace(/\.md(?=#|$)/, '')

export function renderMarkdown(markdown: string, linkTo: LinkTo = toPage): Html {
  return new Html(parse(markdown, { async: false, renderer: new PageRenderer(linkTo) }))
}

/** The sections of a page, with the anchors that `renderMarkdown` gives them. */
export function headingsOf(markdown: string): { id: string; title: string }[] {
  return lexer(markdown).flatMap((token) => {
    if (token.type !== 'heading' || token.depth !== 2) return []
    const title = plainText(token as Tokens.Heading)
    return [{ id: slug(title), title }]
  })
}

function plainText({ tokens, text }: { tokens?: readonly { raw: string; text?: string }[]; text: string }): string {
  return tokens?.map((token) => token.text ?? token.raw).join('') ?? text
}

/** Headings get the anchors that answers cite, and links between files become links between pages. */
class PageRenderer extends Renderer {
  readonly linkTo: LinkTo

  constructor(linkTo: LinkTo) {
    super()
    this.linkTo = linkTo
  }

  override heading({ tokens, depth }: Tokens.Heading): string {
    const id = slug(this.parser.parseInline(tokens, this.parser.textRenderer))
    return `<h${depth} id="${escapeHtml(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
  }

  override link(token: Tokens.Link): string {
    const isSafe = /^(https?:|mailto:|tel:|[\w./-]*(#.*)?$)/i.test(token.href)
    const href = isSafe ? this.linkTo(token.href) : null
    return href === null ? this.parser.parseInline(token.tokens) : super.link({ ...token, href })
  }

  override image(token: Tokens.Image): string {
    return super.image({ ...token, href: token.href.replace(/^\.\.\/images\/dashboard\//, '/docs/images/') })
  }

  override code(token: Tokens.Code): string {
    return super.code(token).replace('<pre>', '<pre tabindex="0">')
  }

  override table(token: Tokens.Table): string {
    // An empty cell is not a header.
    const table = super.table(token).replace(/<th>\s*<\/th>/g, '<td></td>')
    const content = /<th[ >]/.test(table) ? table : table.replace(/<thead>[\s\S]*?<\/thead>/, '')
    return `<div class="scroll" tabindex="0">${content}</div>`
  }

  override html({ text }: Tokens.HTML | Tokens.Tag): string {
    return escapeHtml(text)
  }
}
