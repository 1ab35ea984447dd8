// How far it is: one line that is written over and over on a terminal, some lines elsewhere.
const WIDTH = 24
const LINES_ELSEWHERE = 10

export interface ProgressBar {
  show(done: number, total: number, what: string): void
  end(): void
}

export function progressBar(out: NodeJS.WriteStream = process.stdout): ProgressBar {
  let tenth = -1
  return {
    show(done, total, what) {
      const share = total > 0 ? done / total : 0
      const filled = Math.round(share * WIDTH)
      const text = `[${'█'.repeat(filled)}${'·'.repeat(WIDTH - filled)}] ${done}/${total} ${what}`
      if (out.isTTY) {
        const room = (out.columns ?? 80) - 1
        out.write(`\r\x1b[K${text.length > room ? `${text.slice(0, room - 1)}…` : text}`)
      } else if (Math.floor(share * LINES_ELSEWHERE) > tenth) {
        tenth = Math.floor(share * LINES_ELSEWHERE)
        out.write(`${text}\n`)
      }
    },
    end() {
      if (out.isTTY) out.write('\r\x1b[K')
    },
  }
}
