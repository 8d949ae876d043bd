import { Button, Group, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import {
  hasRegistered,
  confirmDiscard,
  mustAskBeforeUnload,
  onUnsavedChange,
  pendingQuestion,
} from '../../ui/dialogs/unsaved.ts'

/**
 * Mounted once, renders only its dialog: asks before the user leaves unsaved changes. Links, commands and Back are blocked here;
 * dialogs and Cancel call `confirmDiscard` themselves; on close and reload the browser asks.
 */
export const UnsavedGuard = () => {
  const hasForms = useSyncExternalStore(onUnsavedChange, hasRegistered)
  const question = useSyncExternalStore(onUnsavedChange, pendingQuestion)
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      const isSamePage =
        current.pathname === next.pathname && JSON.stringify(current.search) === JSON.stringify(next.search)
      return !isSamePage && !(await confirmDiscard())
    },
    enableBeforeUnload: mustAskBeforeUnload,
    disabled: !hasForms,
  })
  return (
    <Dialog
      opened={question !== undefined}
      onClose={() => question?.answer(false)}
      title="Discard your changes?"
      size="sm"
      topmost
    >
      <Stack gap="md">
        <Text size="sm">They are not saved.</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => question?.answer(false)} data-autofocus>
            Keep editing
          </Button>
          <Button color="red" onClick={() => question?.answer(true)}>
            Discard changes
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
