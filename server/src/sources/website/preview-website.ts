// Reads what a website says about itself, so that a new bot looks and speaks like it from the start.
import { Fault, type Website } from '@docent/contract'
import { detectLanguage } from '../../language/detect-language.ts'
import { FetchFailure, type FetchPage, type PageResponse } from '../../outbound/fetch-page.ts'
import type { UrlProblem } from '../../outbound/outbound.ts'
import { decodeText } from '../extraction/decode-text.ts'
import type { Extractor } from '../extraction/extractor.ts'
import { Unreadable } from '../extraction/parse-thread.ts'
import type { SiteHead } from './read-site-head.ts'

const STYLE_CHARACTERS = 200_000
const FILE_BYTES = 1024 ** 2
const STYLESHEETS = 2
const ICONS_TRIED = 4
const REDIRECTS = 5
const PAGE_TIMEOUT_MS = 10_000
const FILE_TIMEOUT_MS = 4_000
const LONGEST_NAME = 80

export interface PreviewDeps {
  fetchPage: FetchPage
  extractor: Pick<Extractor, 'siteHead' | 'siteColour'>
  /** Why a URL may not be called, or null. */
  urlProblem: UrlProblem
  pageBytes: number
}

export async function previewWebsite(deps: PreviewDeps, workspaceId: string, address: string): Promise<Website> {
  const problem = await deps.urlProblem(address)
  if (problem) throw invalidUrl(problem)
  const page = await fetchStart(deps, address)
  try {
    return await readWebsite(deps, workspaceId, page)
  } catch (error) {
    throw error instanceof Unreadable ? invalidUrl(error.message) : error
  }
}

async function readWebsite(deps: PreviewDeps, workspaceId: string, page: PageResponse): Promise<Website> {
  const { siteHead, siteColour } = deps.extractor
  const head = await siteHead(workspaceId, page.body, page.headers['content-type'] ?? '')
  const [styles, logo] = await Promise.all([fetchStyles(deps, head, page.url), findLogo(deps, head, page.url)])
  return {
    url: page.url,
    name: siteName(head, new URL(page.url)),
    language: await pageLanguage(head),
    colour: await siteColour(workspaceId, head.colours, styles),
    logo_url: logo,
  }
}

async function fetchStart({ fetchPage, pageBytes }: PreviewDeps, url: string): Promise<PageResponse> {
  try {
    const timeoutMs = PAGE_TIMEOUT_MS
    const response = await fetchPage({ url, redirects: REDIRECTS, limitBytes: pageBytes, timeoutMs })
    if (response.status >= 400) throw invalidUrl(`The website responds with an error (${response.status}).`)
    return response
  } catch (error) {
    if (error instanceof FetchFailure) throw invalidUrl(error.message)
    throw error
  }
}

function invalidUrl(message: string): Fault {
  return new Fault('validation_failed', { details: [{ path: 'url', message }] })
}

async function fetchStyles(deps: PreviewDeps, { styles, stylesheets }: SiteHead, base: string): Promise<string> {
  const urls = stylesheets.flatMap((href) => resolve(href, base) ?? []).slice(0, STYLESHEETS)
  const sheets = await Promise.all(urls.map((url) => fetchFile(deps, url, /^text\/css\b/i)))
  return [styles, ...sheets.map((sheet) => (sheet ? decodeText(sheet.body, 'text/css', STYLE_CHARACTERS) : ''))]
    .map((text) => text.slice(0, STYLE_CHARACTERS))
    .join('\n')
}

/** The first picture that can be loaded. */
async function findLogo(deps: PreviewDeps, { icons }: SiteHead, base: string): Promise<string | null> {
  const iconUrls = icons.map(({ href }) => href).slice(0, ICONS_TRIED)
  const urls = [...iconUrls, '/favicon.ico'].flatMap((href) => resolve(href, base) ?? [])
  for (const url of new Set(urls)) {
    const picture = await fetchFile(deps, url, /^image\//i)
    if (picture && picture.body.length > 0) return picture.url
  }
  return null
}

/** Null for what is missing, too large, slow or something else. */
async function fetchFile({ fetchPage }: PreviewDeps, url: string, type: RegExp): Promise<PageResponse | null> {
  const isWanted = ({ status, headers }: PageResponse) => status === 200 && type.test(headers['content-type'] ?? '')
  try {
    const limits = { redirects: REDIRECTS, limitBytes: FILE_BYTES, timeoutMs: FILE_TIMEOUT_MS }
    const response = await fetchPage({ url, ...limits, accept: '*/*', wants: isWanted })
    return isWanted(response) ? response : null
  } catch (error) {
    if (error instanceof FetchFailure) return null
    throw error
  }
}

function resolve(href: string, base: string): string | null {
  if (!URL.canParse(href, base)) return null
  const { protocol, href: url } = new URL(href, base)
  return (protocol === 'http:' || protocol === 'https:') && url.length <= 2048 ? url : null
}

/** What the site calls itself, otherwise the part of the title that is like its host, otherwise the host. */
function siteName({ names: [declaredName], title }: SiteHead, { hostname, pathname }: URL): string {
  const host = hostname.replace(/^www\./, '')
  const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
  const parts = title.split(/\s+[|–—·•:-]\s+|\s*[|•]\s*/).filter((part) => part !== '')
  const domain = letters(host.split('.').at(-2) ?? host)
  const alike = parts.find((part) => letters(part) !== '' && domain.includes(letters(part)))
  // "Delivery – Brand", but "Brand – what we do" on the first page.
  const byLength = parts.toReversed().toSorted((a, b) => a.length - b.length)
  const short = pathname === '/' ? byLength[0] : parts.at(-1)
  return (declaredName ?? alike ?? (parts.length > 1 ? short : undefined) ?? host).slice(0, LONGEST_NAME).trim() || host
}

async function pageLanguage({ language, text }: SiteHead): Promise<string | null> {
  const declaredLanguage = /^[a-z]{2,3}(?=$|[-_])/i.exec(language?.trim() ?? '')?.[0].toLowerCase()
  if (declaredLanguage) return declaredLanguage
  return (await detectLanguage(text, '')) || null
}
