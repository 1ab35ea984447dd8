export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'quiet'

export function Status({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className="status" data-tone={tone}>
      {children}
    </span>
  )
}
