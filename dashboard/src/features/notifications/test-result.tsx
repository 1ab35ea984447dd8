import type { ResponseOf, Routes } from '@docent/contract'
import { Modal } from '@mantine/core'
import { useApiQuery } from '../../api.ts'
import { useTexts } from '../../texts/texts.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Notice } from '../../ui/notice.tsx'

const POLL_MS = 500

type Delivery = ResponseOf<Routes['GET /api/manage/v1/bots/{botId}/deliveries/{deliveryId}']>

interface Props {
  botId: string
  /** Null closes the dialog. */
  deliveryId: string | null
  onClose: () => void
}

/** The result of a test message: delivered, or why the first attempt failed. */
export function TestResult({ botId, deliveryId, onClose }: Props) {
  const { notifications: texts } = useTexts()
  return (
    <Modal opened={deliveryId !== null} onClose={onClose} title={texts.testTitle}>
      {deliveryId && <Result botId={botId} deliveryId={deliveryId} />}
    </Modal>
  )
}

function Result({ botId, deliveryId }: { botId: string; deliveryId: string }) {
  const { notifications: texts } = useTexts()
  const deliveryQuery = useApiQuery(
    'GET /api/manage/v1/bots/{botId}/deliveries/{deliveryId}',
    { params: { botId, deliveryId } },
    { refetchInterval: (delivery) => ((delivery as Delivery).log.length === 0 ? POLL_MS : false) },
  )
  const [attempt] = deliveryQuery.data?.log ?? []
  if (!attempt) return <p role="status">{texts.testSending}</p>
  if (!attempt.error) return <Notice tone="good">{texts.testDelivered}</Notice>
  return (
    <div className="stack">
      <Notice tone="bad" title={texts.testFailed}>
        {attempt.error}
      </Notice>
      {attempt.answer && <CodeBlock text={attempt.answer} />}
    </div>
  )
}
