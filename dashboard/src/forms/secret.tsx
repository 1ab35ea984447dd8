import { Button, Modal } from '@mantine/core'
import { useMessages } from '../messages/messages.tsx'
import { Code } from '../ui/code.tsx'
import { Notice } from '../ui/notice.tsx'

interface Props {
  title: string
  /** What is shown this once, each with its name; null: nothing. */
  secrets: { label: string; value: string }[] | null
  onClose: () => void
}

/** Stays until it is closed on purpose: a click beside it must not cost the only look at a secret. */
export function SecretOnce({ title, secrets, onClose }: Props) {
  const { general } = useMessages()
  return (
    <Modal opened={secrets !== null} onClose={onClose} title={title} size="lg" closeOnClickOutside={false}>
      <div className="stack">
        <Notice tone="warn">{general.shownOnce}</Notice>
        {secrets?.map(({ label, value }) => (
          <div key={label} className="stack tight">
            <strong>{label}</strong>
            <Code text={value} />
          </div>
        ))}
        <div>
          <Button onClick={onClose}>{general.confirmStored}</Button>
        </div>
      </div>
    </Modal>
  )
}
