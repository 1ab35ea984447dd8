import type { SyncRemark } from '@docent/contract'
import { REMARKS_PER_SYNC } from '@docent/contract/limits'
import { formatNumber } from '../../text/format.ts'
import { useTexts } from '../../texts/texts.tsx'

/** Problems with single items, numbered from 1. */
export function Remarks({ title, remarks }: { title: string; remarks: SyncRemark[] }) {
  const { syncs: texts } = useTexts()
  if (remarks.length === 0) return null
  return (
    <section className="stack tight">
      <h3>{title}</h3>
      <ul className="plain-list">
        {remarks.map((remark) => (
          <li key={`${remark.index} ${remark.code} ${remark.message}`}>
            <span className="quiet">{texts.item(remark.index + 1, remark.id)}</span> {remark.message}
          </li>
        ))}
      </ul>
      {remarks.length === REMARKS_PER_SYNC && (
        <p className="quiet small">{texts.firstOnly(formatNumber(REMARKS_PER_SYNC))}</p>
      )}
    </section>
  )
}
