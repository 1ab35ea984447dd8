// A progress bar on one line, redrawn in place.
const WIDTH = 24

export interface ProgressBar {
  show(count: number, total: number, what: string): void
  end(): void
}

export function progressBar(out: NodeJS.WriteStream): ProgressBar {
  return {
    show(count, total, what) {
      const share = total > 0 ? Math.min(1, count / total) : 0
      const filledWidth = Math.round(share * WIDTH)
      const text = `[${'█'.repeat(filledWidth)}${'·'.repeat(WIDTH - filledWidth)}] ${count}/${total} ${what}`
      const room = (out.columns ?? 80) - 1
      out.write(`\r\x1b[K${text.length > room ? `${text.slice(0, room - 1)}…` : text}`)
    },
    end() {
      out.write('\r\x1b[K')
    },
  }
}
