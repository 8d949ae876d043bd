import { Button, Group } from '@mantine/core'
import { consumeUndo, forgetUndo, rememberUndo } from './last-undo.ts'
import { toastWith } from './toast.ts'

/**
 * Toast with an undo button for as long as it is shown. Ctrl+Z does the same, also afterwards.
 * @param undo runs at most once
 */
export const toastWithUndo = (message: string, undo: () => void): void => {
  const run = () => {
    hide()
    undo()
  }
  const hide = toastWith(
    <Group justify="space-between" wrap="nowrap">
      {message}
      <Button
        variant="subtle"
        size="compact-sm"
        onClick={() => {
          forgetUndo()
          run()
        }}
      >
        Undo
      </Button>
    </Group>,
    10_000,
  )
  rememberUndo(run)
}

/** Undoes the newest change. @returns whether there was one */
export const undoLast = (): boolean => {
  const undo = consumeUndo()
  undo?.()
  return undo !== undefined
}
