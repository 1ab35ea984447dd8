// Reading and changing through rows of the route table: types from the contract, cached by route and parameters.
import type { AnswerOf, PageOf, RouteName, Routes } from '@docent/contract'
import { DocentError, type RequestOptions } from '@docent/sdk'
import { QueryClient, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, isError } from './client.ts'
import { promptForPassword } from './forms/password-prompt.ts'
import { toast } from './forms/toast.tsx'
import { useMessages } from './messages/messages.tsx'
import { explain } from './text/explain.ts'

// Each route's own types are for callers; in here all are alike.
const request = client.request as (route: RouteName, parts: object) => Promise<unknown>

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      // What the server refused it will refuse again; a line that broke may hold.
      retry: (failures, error) => failures < 2 && !(error instanceof DocentError && error.status < 500),
    },
  },
})

interface Reading {
  enabled?: boolean
  /** How soon to look again, from what is there now; false: not by itself. */
  every?: (answer: unknown) => number | false
}

type Item<R extends RouteName> = AnswerOf<Routes[R]> extends PageOf<infer T> ? T : never

export function readQuery<R extends RouteName>(route: R, options: RequestOptions<R>) {
  return {
    queryKey: [route, options] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      request(route, { ...options, signal }) as Promise<AnswerOf<Routes[R]>>,
  }
}

export function useRead<R extends RouteName>(route: R, options: RequestOptions<R>, reading: Reading = {}) {
  return useQuery({
    ...readQuery(route, options),
    enabled: reading.enabled ?? true,
    refetchInterval: ({ state }) => (reading.every && state.data ? reading.every(state.data) : false),
  })
}

/** A list that grows page by page. */
export function useList<R extends RouteName>(route: R, options: RequestOptions<R>, reading: Reading = {}) {
  const found = useInfiniteQuery({
    queryKey: [route, 'list', options] as const,
    queryFn: ({ pageParam, signal }) => {
      const query = { ...(options as { query?: object }).query, ...(pageParam ? { cursor: pageParam } : {}) }
      return request(route, { ...options, query, signal }) as Promise<PageOf<Item<R>>>
    },
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
    enabled: reading.enabled ?? true,
    refetchInterval: ({ state }) => (reading.every && state.data ? reading.every(itemsOf(state.data.pages)) : false),
  })
  return { ...found, items: itemsOf(found.data?.pages ?? []) }
}

function itemsOf<T>(pages: PageOf<T>[]): T[] {
  return pages.flatMap(({ items }) => items)
}

interface Acting<R extends RouteName> {
  /** Said when it is done. */
  done?: string
  onDone?: (answer: AnswerOf<Routes[R]>) => void
  /** The form shows what is wrong, so it need not be said again. */
  silent?: boolean
}

/** Some changes want the password again; once it is given, they are sent again. */
async function withProof<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    if (!isError(error, 'reauthentication_required') || !(await promptForPassword())) throw error
    return send()
  }
}

/** The same change to several things, one after the other; the first failure ends it. */
export function useActOnAll<R extends RouteName>(route: R, { done, onDone }: { done: string; onDone: () => void }) {
  const cache = useQueryClient()
  const messages = useMessages()
  return useMutation({
    mutationFn: async (all: RequestOptions<R>[]) => {
      for (const options of all) await withProof(() => request(route, options))
    },
    onSuccess: () => {
      toast(done)
      onDone()
    },
    onError: (error) => toast(explain(error, messages), 'bad'),
    onSettled: () => cache.invalidateQueries({ predicate: ({ meta }) => !meta?.refreshesItself }),
  })
}

/** A change. What is on the screen is read anew afterwards, so that it shows what the server holds. */
export function useAct<R extends RouteName>(route: R, { done, onDone, silent }: Acting<R> = {}) {
  const cache = useQueryClient()
  const messages = useMessages()
  return useMutation({
    mutationFn: (options: RequestOptions<R>) =>
      withProof(() => request(route, options)) as Promise<AnswerOf<Routes[R]>>,
    onSuccess: async (answer) => {
      if (done) toast(done)
      onDone?.(answer)
      await cache.invalidateQueries({ predicate: ({ meta }) => !meta?.refreshesItself })
    },
    onError: (error) => {
      if (!silent) toast(explain(error, messages), 'bad')
    },
  })
}
