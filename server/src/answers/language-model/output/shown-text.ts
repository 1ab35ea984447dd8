// The text shown so far: trimmed, and nothing before the first citation if one is required.
export interface ShownText {
  add(text: string): void
  /** Everything sent to the visitor. */
  text(): string
  /** Shows text that was waiting for a citation. */
  release(): void
}

export function createShownText(held: boolean, onText: ((delta: string) => void) | undefined): ShownText {
  let shown = ''
  let waiting = ''
  let isHeld = held

  function flush() {
    const ready = (shown === '' ? waiting.trimStart() : waiting).trimEnd()
    if (isHeld || ready === '') return
    waiting = waiting.slice(waiting.trimEnd().length)
    shown += ready
    onText?.(ready)
  }

  return {
    text: () => shown,
    add(text) {
      waiting += text
      flush()
    },
    release() {
      isHeld = false
      flush()
    },
  }
}
