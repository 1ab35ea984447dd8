// The entries in order. Each server message appears once, even if it arrives several times.
import type { VisitorMessage } from '@docent/contract'
import { type Entry, makeEntry } from './entries.ts'
import type { Store } from './store.ts'

export interface EntryDisplay {
  /** Adds an entry (at the end, or before another), or updates it. */
  entry(entry: Entry, before?: Entry): void
  remove(entry: Entry): void
}

export type Timeline = ReturnType<typeof makeTimeline>

export function makeTimeline(show: EntryDisplay, store: Store) {
  const entries: Entry[] = []
  const messageIds = new Set<string>()
  /** Messages that arrived while an answer was streaming, and may be part of it. */
  const heldMessages: VisitorMessage[] = []
  let isHolding = false

  function add(entry: Entry, before?: Entry): Entry {
    entries.splice(before ? entries.indexOf(before) : entries.length, 0, entry)
    markKnown(entry)
    show.entry(entry, before)
    return entry
  }

  function markKnown({ id, state }: Entry) {
    if (!id || state !== 'done') return
    messageIds.add(id)
    store.set({ last: last() })
  }

  /** Ids sort by creation time, but may arrive in any order. */
  const last = () => [...messageIds].sort().at(-1)

  function update(entry: Entry, change: Partial<Entry>) {
    Object.assign(entry, change)
    markKnown(entry)
    show.entry(entry)
  }

  function remove(entry: Entry) {
    const index = entries.indexOf(entry)
    if (index < 0) return
    entries.splice(index, 1)
    show.remove(entry)
  }

  /** Returns whether the message is new. Replaces a failed entry if its message arrived after all. */
  function receive(message: VisitorMessage, before?: Entry): boolean {
    if (messageIds.has(message.id)) return false
    if (isHolding && message.role !== 'agent') {
      heldMessages.push(message)
      return false
    }
    const { role, text, ...rest } = message
    const failedEntry = entries.find((entry) => entry.state === 'failed' && role === 'visitor' && entry.text === text)
    add(makeEntry(role, text, rest), before)
    if (failedEntry) remove(failedEntry)
    return true
  }

  return {
    add,
    update,
    remove,
    receive,
    hold() {
      isHolding = true
    },
    release() {
      isHolding = false
      for (const message of heldMessages.splice(0)) receive(message)
    },
    has: (entry: Entry) => entries.includes(entry),
    /** The first entry that the server does not have yet. */
    firstUnsent: () => entries.find(({ id }) => !id),
    last,
    /** The oldest entry that the server has. */
    first: () => entries.find(({ id }) => id),
    /** False if another tab has newer messages. */
    isCurrent: () => messageIds.has(store.get().last ?? '') || !store.get().last,
    saveUnsent: () =>
      store.set({
        unsent: entries.filter(({ state }) => state === 'failed' || state === 'sending').map(({ text }) => text),
      }),
  }
}
