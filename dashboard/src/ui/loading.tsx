import { useTexts } from '../texts/texts.tsx'

const LINES = ['a', 'b', 'c', 'd', 'e', 'f']

export function LoadingRows({ count = 4 }: { count?: number }) {
  const { general } = useTexts()
  return (
    <div className="loading" role="status">
      <span className="unseen">{general.loading}</span>
      {LINES.slice(0, count).map((line) => (
        <div key={line} />
      ))}
    </div>
  )
}
