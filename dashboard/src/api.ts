// Hooks for the API's routes, with types from the contract, cached by route and parameters.
import type { PageOf, ResponseOf, RouteName, Routes } from '@docent/contract'
import { DocentError, type RequestOptions } from '@docent/sdk'
import { type Query, QueryClient, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { client, isError } from './client.ts'
import { promptForPassword } from './forms/password-prompt.ts'
import { toast } from './forms/toast.tsx'
import { explainError } from './text/explain-error.ts'
import { useTexts } from './texts/texts.tsx'

/** The server's maximum page size. */
const MAX_PAGE_SIZE = 200

// Untyped here: callers get each route's own types.
const request = client.request as (route: RouteName, parts: object) => Promise<unknown>

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      // Retry lost connections and server errors, but not rejected requests.
      retry: (failures, error) => failures < 2 && !(error instanceof DocentError && error.status < 500),
    },
  },
})

/** Reloads what is on the screen after a change. */
export async function reloadQueries(
  isMeant: (query: Query) => boolean = ({ meta }) => !meta?.refreshesItself,
): Promise<void> {
  const isFirstLoad = (query: Query) => query.state.data === undefined && isMeant(query)
  const loading = queryClient.getQueryCache().findAll({ fetchStatus: 'fetching', predicate: isFirstLoad })
  await queryClient.invalidateQueries({ predicate: isMeant })
  // A first load is not started anew, and the server may have read it before the change.
  if (loading.length > 0) await queryClient.invalidateQueries({ predicate: (query) => loading.includes(query) })
}

interface QueryOptions {
  enabled?: boolean
  /** Polling interval in milliseconds for the current data; false stops polling. */
  refetchInterval?: (response: unknown) => number | false
}

type Item<R extends RouteName> = ResponseOf<Routes[R]> extends PageOf<infer T> ? T : never

export function apiQuery<R extends RouteName>(route: R, options: RequestOptions<R>) {
  return queryOf<ResponseOf<Routes[R]>>(route, options as object)
}

/** Not generic over the route: the union of all route types is too large for the compiler. */
function queryOf<Answer>(route: RouteName, options: object) {
  return {
    queryKey: [route as string, options] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) => request(route, { ...options, signal }) as Promise<Answer>,
  }
}

export function useApiQuery<R extends RouteName>(
  route: R,
  options: RequestOptions<R>,
  queryOptions: QueryOptions = {},
) {
  return useQuery({
    ...queryOf<ResponseOf<Routes[R]>>(route, options as object),
    enabled: queryOptions.enabled ?? true,
    refetchInterval: ({ state }) =>
      queryOptions.refetchInterval && state.data ? queryOptions.refetchInterval(state.data) : false,
  })
}

/** A list that grows page by page. The old rows stay while a new search or sort order loads. */
export function useApiList<R extends RouteName>(route: R, options: RequestOptions<R>, queryOptions: QueryOptions = {}) {
  const { params, query: baseQuery } = options as { params?: object; query?: object }
  const read = (part: object, signal?: AbortSignal) =>
    request(route, { ...(options as object), query: { ...baseQuery, ...part }, signal }) as Promise<PageOf<Item<R>>>
  const listQuery = useInfiniteQuery({
    queryKey: [route as string, 'list', options as object] as const,
    queryFn: ({ pageParam, signal }) => read(pageParam ? { cursor: pageParam } : {}, signal),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
    enabled: queryOptions.enabled ?? true,
    placeholderData: (before, query) => {
      const previousParams = (query?.queryKey[2] as { params?: object } | undefined)?.params
      return query && JSON.stringify(previousParams) === JSON.stringify(params) ? before : undefined
    },
    refetchInterval: ({ state }) =>
      queryOptions.refetchInterval && state.data ? queryOptions.refetchInterval(itemsOf(state.data.pages)) : false,
  })
  const pages = listQuery.data?.pages
  const items = useMemo(() => itemsOf(pages ?? []), [pages])
  /** Loads all pages, independently of those shown. */
  const readAll = async (onCount: (count: number) => void = () => {}): Promise<Item<R>[]> => {
    const all: Item<R>[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: PageOf<Item<R>> = await read({ limit: MAX_PAGE_SIZE, ...(cursor ? { cursor } : {}) })
      all.push(...page.items)
      onCount(all.length)
      cursor = page.next_cursor
    }
    return all
  }
  return { ...listQuery, items, readAll, key: JSON.stringify([String(route), params, baseQuery]) }
}

function itemsOf<T>(pages: PageOf<T>[]): T[] {
  return pages.flatMap(({ items }) => items)
}

interface MutationOptions<R extends RouteName> {
  /** Toast on success. */
  done?: string
  onDone?: (response: ResponseOf<Routes[R]>) => void
  /** No toast on failure, because the form shows the error. */
  silent?: boolean
}

/** Some changes require the password again; they are repeated once it is entered. */
async function withReauthentication<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    if (!isError(error, 'reauthentication_required') || !(await promptForPassword())) throw error
    return send()
  }
}

/**
 * The same change to several items, one after another. Items changed by someone else are skipped; any other failure
 * ends the run. Resolves with the items left, reloaded if possible.
 */
export function useBulkMutation<R extends RouteName, T>(
  route: R,
  {
    toRequest,
    done,
    reload,
  }: { toRequest: (item: T) => RequestOptions<R>; done: string; reload?: (item: T) => Promise<T> },
) {
  const texts = useTexts()
  const [count, setCount] = useState(0)
  const isStopped = useRef(false)
  const acting = useMutation({
    mutationFn: async (items: T[]): Promise<T[]> => {
      isStopped.current = false
      const refusedItems: T[] = []
      for (const [index, item] of items.entries()) {
        if (isStopped.current) return [...refusedItems, ...items.slice(index)]
        setCount(index)
        try {
          await withReauthentication(() => request(route, toRequest(item)))
        } catch (error) {
          // Already deleted by someone else.
          if (isError(error, 'not_found')) continue
          if (isError(error, 'conversation_changed')) {
            refusedItems.push((await reload?.(item).catch(() => item)) ?? item)
            continue
          }
          toast(explainError(error, texts), 'bad')
          return [...refusedItems, ...items.slice(index)]
        }
      }
      if (refusedItems.length > 0) toast(texts.lists.refused(refusedItems.length, items.length), 'bad')
      else toast(done)
      return refusedItems
    },
    onSettled: () => reloadQueries(),
  })
  const stop = () => {
    isStopped.current = true
  }
  const total = acting.variables?.length ?? 0
  return { run: acting.mutateAsync, isPending: acting.isPending, count, total, stop }
}

/** A change to the server's data. Afterwards, everything on the screen is reloaded. */
export function useApiMutation<R extends RouteName>(route: R, { done, onDone, silent }: MutationOptions<R> = {}) {
  const texts = useTexts()
  return useMutation({
    mutationFn: (options: RequestOptions<R>) =>
      withReauthentication(() => request(route, options)) as Promise<ResponseOf<Routes[R]>>,
    onSuccess: async (response) => {
      if (done) toast(done)
      onDone?.(response)
      await reloadQueries()
    },
    onError: (error) => {
      if (!silent) toast(explainError(error, texts), 'bad')
    },
  })
}
