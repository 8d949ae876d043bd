import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'

/** Toast with an undo button for as long as it is shown. */
export const toastWithUndo = (message: string, undo: () => void): void => {
  const takeBack = () => {
    notifications.hide(id)
    undo()
  }
  const id = notifications.show({
    message: (
      <Group justify="space-between" wrap="nowrap">
        {message}
        <Button variant="subtle" size="compact-sm" onClick={takeBack}>
          Undo
        </Button>
      </Group>
    ),
    withBorder: true,
    autoClose: 10_000,
    role: 'status',
    closeButtonProps: { 'aria-label': 'Dismiss' },
  })
}
