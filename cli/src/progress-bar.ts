// A progress bar on one line, redrawn in place.
const WIDTH = 24

export interface ProgressBar {
  show(done: number, total: number, what: string): void
  end(): void
}

export function progressBar(out: NodeJS.WriteStream): ProgressBar {
  return {
    show(done, total, what) {
      const share = total > 0 ? Math.min(1, done / total) : 0
      const filledWidth = Math.round(share * WIDTH)
      const text = `[${'█'.repeat(filledWidth)}${'·'.repeat(WIDTH - filledWidth)}] ${done}/${total} ${what}`
      const room = (out.columns ?? 80) - 1
      out.write(`\r\x1b[K${text.length > room ? `${text.slice(0, room - 1)}…` : text}`)
    },
    end() {
      out.write('\r\x1b[K')
    },
  }
}
