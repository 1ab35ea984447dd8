import { Button, Modal } from '@mantine/core'
import { useTexts } from '../texts/texts.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { Notice } from '../ui/notice.tsx'

interface Props {
  title: string
  /** Secrets with their labels; null closes the dialog. */
  secrets: { label: string; value: string }[] | null
  onClose: () => void
}

/** Does not close on a click outside, because the secret is shown only once. */
export function SecretDialog({ title, secrets, onClose }: Props) {
  const { general } = useTexts()
  return (
    <Modal opened={secrets !== null} onClose={onClose} title={title} size="lg" closeOnClickOutside={false}>
      <div className="stack">
        <Notice tone="warn">{general.shownOnce}</Notice>
        {secrets?.map(({ label, value }) => (
          <div key={label} className="stack tight">
            <strong>{label}</strong>
            <CodeBlock text={value} />
          </div>
        ))}
        <div>
          <Button onClick={onClose}>{general.confirmStored}</Button>
        </div>
      </div>
    </Modal>
  )
}
