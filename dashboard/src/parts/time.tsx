import { shownAgo, shownMoment } from './format.ts'

/** How long ago, with the exact time for who asks. */
export function Ago({ time }: { time: string }) {
  return (
    <time dateTime={time} title={shownMoment(time)}>
      {shownAgo(time)}
    </time>
  )
}
