import { formatDate, formatDateTime, formatElapsed, formatExact, formatRelative, formatTime } from './format.ts'

const formats = {
  relative: formatRelative,
  dateTime: formatDateTime,
  date: formatDate,
  time: formatTime,
  elapsed: formatElapsed,
}

interface Props {
  time: string
  format?: keyof typeof formats
  /** Wraps the time in a sentence: "expires tomorrow". */
  text?: (when: string) => string
}

/** A time in the user's locale, with the exact time on hover. */
export function Time({ time, format = 'relative', text = (when) => when }: Props) {
  return (
    <time dateTime={time} title={formatExact(time)}>
      {text(formats[format](time))}
    </time>
  )
}
