import { Button, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/texts.tsx'

interface Props {
  opened: boolean
  title: string
  children: ReactNode
  action: string
  pending?: boolean
  /** Whether it can be undone, or takes nothing away. */
  isHarmless?: boolean
  onClose: () => void
  onConfirm: () => void
}

/** Confirms an action, most often one that cannot be undone. */
export function ConfirmDialog({ opened, title, children, action, pending, isHarmless, onClose, onConfirm }: Props) {
  const { general } = useTexts()
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <div className="stack">
        <p>{children}</p>
        <div className="form-end">
          <Button
            {...(isHarmless ? {} : { color: 'red' })}
            loading={pending ?? false}
            onClick={onConfirm}
            data-autofocus
          >
            {action}
          </Button>
          <Button variant="default" onClick={onClose}>
            {general.cancel}
          </Button>
        </div>
      </div>
    </Modal>
  )
}
