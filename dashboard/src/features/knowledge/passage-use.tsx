import type { Passage } from '@docent/contract'
import { Link } from '@tanstack/react-router'
import { formatNumber } from '../../text/format.ts'
import { Time } from '../../text/time.tsx'
import { Icon } from '../../ui/icon.tsx'
import { studioTexts as texts } from './studio-texts.ts'

/** How a passage did: citations, ratings, the questions it answered, and the phrasings it is found by. */
export function PassageUse({ botId, passage }: { botId: string; passage: Passage }) {
  const { cited, last_cited_at: lastCitedAt, rated_up: up, rated_down: down, questions, phrasings } = passage
  return (
    <>
      <p className="passage-figures">
        <span>{texts.cited(cited, formatNumber(cited))}</span>
        {up > 0 && <Rating icon="thumbUp" count={up} label={texts.ratedUp(formatNumber(up))} />}
        {down > 0 && <Rating icon="thumbDown" count={down} label={texts.ratedDown(formatNumber(down))} />}
        {lastCitedAt && <Time time={lastCitedAt} />}
      </p>
      {questions.length > 0 && (
        <div>
          <p className="passage-label">{texts.asked}</p>
          <ul className="passage-questions">
            {questions.map(({ text, conversation_id, asked_at }) => (
              <li key={conversation_id + asked_at}>
                <Link className="quiet-link" to={`/bots/${botId}/inbox/${conversation_id}`}>
                  {text}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
      {phrasings.length > 0 && (
        <div>
          <p className="passage-label">{texts.foundBy}</p>
          <ul className="passage-questions">
            {phrasings.map((phrase) => (
              <li key={phrase}>{phrase}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

function Rating({ icon, count, label }: { icon: 'thumbUp' | 'thumbDown'; count: number; label: string }) {
  return (
    <span className="passage-rating" title={label}>
      <Icon name={icon} size={14} />
      <span aria-hidden="true">{formatNumber(count)}</span>
      <span className="unseen">{label}</span>
    </span>
  )
}
