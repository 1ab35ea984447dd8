// Where the next page of a paged feed is: in the `Link` header, or counted as WooCommerce and Shopify do.
import { FEED_PAGES, type FeedRun } from '@docent/contract'
import type { PageResponse } from '../../outbound/fetch-page.ts'

const SHOPIFY_LIST = /(?:^|\/)products\.json$/
const SHOPIFY_PAGE = 30
const SHOPIFY_LARGEST_PAGE = 250

export type CutReason = NonNullable<FeedRun['cut_reason']>

/** Follows the pages of one run. */
export function makeFeedPages() {
  const seenUrls = new Set<string>()
  const seenBodies = new Set<string>()
  let first: URL | undefined
  let receivedItems = 0

  return {
    /** The URL of the next page, why it is not followed, or null after the last page. */
    next(
      { url, headers }: Pick<PageResponse, 'url' | 'headers'>,
      items: number,
      bodyHash: string,
    ): { url: string } | { cut: CutReason } | null {
      // A server that ignores the page number repeats its only page.
      const isRepeated = seenBodies.has(bodyHash)
      if (!isRepeated) receivedItems += items
      seenBodies.add(bodyHash)
      seenUrls.add(url)
      first ??= new URL(url)
      if (isRepeated) return isComplete(headers, receivedItems) ? null : { cut: 'repeated_page' }
      const linkedUrl = linkedPage(url, headers)
      const next = linkedUrl ?? countedPage(url, headers, items)
      if (next === null) {
        const startedLater = Number(first.searchParams.get('page') ?? 1) > 1
        return startedLater || isComplete(headers, receivedItems) ? null : { cut: 'fewer_than_stated' }
      }
      if (new URL(next).origin !== first.origin) return { cut: 'other_origin' }
      if (seenUrls.has(next)) return { cut: 'repeated_page' }
      return seenUrls.size >= FEED_PAGES ? { cut: 'too_many_pages' } : { url: next }
    },
  }
}

/** Shopify's feeds of products have no address of their own but a handle on the same site. */
export function siteOfFeed(url: string): string | null {
  const { origin, pathname } = new URL(url)
  return SHOPIFY_LIST.test(pathname) ? origin : null
}

/** `<https://shop.example/…>; rel="next"`: Shopify's Admin API, WordPress and many others. */
function linkedPage(url: string, { link = '' }: PageResponse['headers']): string | null {
  for (const [, target = '', parameters = ''] of link.slice(0, 10_000).matchAll(/<([^<>]*)>([^<]*)/g)) {
    const isNext = /;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next\b)/i.test(parameters)
    if (isNext && URL.canParse(target, url)) return withoutHash(new URL(target, url))
  }
  return null
}

function countedPage(url: string, headers: PageResponse['headers'], items: number): string | null {
  const address = new URL(url)
  const page = Number(address.searchParams.get('page') ?? 1)
  if (!Number.isSafeInteger(page) || page < 1) return null
  const isMore =
    headers['x-wp-totalpages'] === undefined
      ? SHOPIFY_LIST.test(address.pathname) && items > 0 && items === shopifyPageSize(address)
      : page < Number(headers['x-wp-totalpages'])
  if (!isMore) return null
  address.searchParams.set('page', String(page + 1))
  return withoutHash(address)
}

function shopifyPageSize({ searchParams }: URL): number {
  return Math.min(Number(searchParams.get('limit') ?? SHOPIFY_PAGE), SHOPIFY_LARGEST_PAGE)
}

function withoutHash(url: URL): string {
  url.hash = ''
  return url.href
}

/** WooCommerce states how many products there are. */
function isComplete(headers: PageResponse['headers'], receivedItems: number): boolean {
  return !(Number(headers['x-wp-total']) > receivedItems)
}
