import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../texts/texts.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

interface Props {
  title: string
  /** What is removed along with it. */
  children: ReactNode
  pending: boolean
  onRemove: () => void
}

/** Removes the item shown on the page, after a confirmation. */
export function RemoveButton({ title, children, pending, onRemove }: Props) {
  const { general } = useTexts()
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button variant="light" color="red" onClick={() => setAsking(true)}>
        {general.remove}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={title}
        action={general.remove}
        pending={pending}
        onClose={() => setAsking(false)}
        onConfirm={onRemove}
      >
        {children}
      </ConfirmDialog>
    </>
  )
}
