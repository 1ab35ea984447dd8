import { Button, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useMessages } from '../messages/messages.tsx'

interface Props {
  opened: boolean
  title: string
  children: ReactNode
  action: string
  pending?: boolean
  onClose: () => void
  onConfirm: () => void
}

/** Confirms an action that cannot be undone. */
export function ConfirmDialog({ opened, title, children, action, pending, onClose, onConfirm }: Props) {
  const { general } = useMessages()
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <div className="stack">
        <p>{children}</p>
        <div className="form-end">
          <Button color="red" loading={pending ?? false} onClick={onConfirm} data-autofocus>
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
