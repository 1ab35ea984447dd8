import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'

const UNDO_MS = 10_000

/** A toast with an undo button. */
export function undoToast(message: string, undo: string, onUndo: () => void) {
  const id = notifications.show({
    autoClose: UNDO_MS,
    color: 'teal',
    message: (
      <div className="inline">
        {message}
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => {
            notifications.hide(id)
            onUndo()
          }}
        >
          {undo}
        </Button>
      </div>
    ),
  })
}
