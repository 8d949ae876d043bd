import { Button, Group } from '@mantine/core'
import { toastWith } from './toast.ts'

/** Toast with an undo button for as long as it is shown. */
export const toastWithUndo = (message: string, undo: () => void): void => {
  const hide = toastWith(
    <Group justify="space-between" wrap="nowrap">
      {message}
      <Button
        variant="subtle"
        size="compact-sm"
        onClick={() => {
          hide()
          undo()
        }}
      >
        Undo
      </Button>
    </Group>,
    10_000,
  )
}
