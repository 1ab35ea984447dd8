import { Link } from '@tanstack/react-router'
import { useApiQuery } from '../../api.ts'
import { Highlighted } from '../../text/highlighted.tsx'
import { studioTexts as texts } from './studio-texts.ts'

const SHOWN = 8
// Fewer letters say nothing that a search by meaning could use.
const MIN_LETTERS = 3

/** The passages that the bot itself finds for the words in the search field. */
export function PassageSearch({ botId, q }: { botId: string; q: string }) {
  const text = q.trim()
  const search = useApiQuery(
    'GET /api/manage/v1/bots/{botId}/search',
    { params: { botId }, query: { q: text, limit: SHOWN } },
    { enabled: text.length >= MIN_LETTERS },
  )
  const results = (text.length >= MIN_LETTERS && search.data?.results) || []
  const passages = results.filter(({ passage_id }) => passage_id !== null)
  if (passages.length === 0) return null
  return (
    <section className="stack" aria-label={texts.found}>
      <div className="stack tight">
        <h2>{texts.found}</h2>
        <p className="quiet small">{texts.foundAbout}</p>
      </div>
      <ol className="passages" aria-label={texts.found}>
        {passages.map((result) => (
          <li key={result.document_id + result.passage_id} className="found-passage">
            <Link
              className="row-title"
              to={`/bots/${botId}/knowledge/documents/${encodeURIComponent(result.document_id)}`}
              hash={result.passage_id ?? ''}
            >
              {result.heading === null ? result.title : `${result.title} › ${result.heading}`}
            </Link>
            <p className="quiet small">
              <Highlighted text={result.passage} words={text} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  )
}
