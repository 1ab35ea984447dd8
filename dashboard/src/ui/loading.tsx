import { Skeleton } from '@mantine/core'
import { useMessages } from '../messages/messages.tsx'

const lines = ['a', 'b', 'c', 'd', 'e', 'f']

/** Holds the place of rows that are on their way. */
export function LoadingRows({ count = 4 }: { count?: number }) {
  const { general } = useMessages()
  return (
    <div className="stack tight" role="status">
      <span className="unseen">{general.loading}</span>
      {lines.slice(0, count).map((line) => (
        <Skeleton key={line} height={62} radius="md" />
      ))}
    </div>
  )
}
