import { Alert, Stack } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { type ComponentProps, createContext, useContext, useEffect, useState } from 'react'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'

type Count = (change: (holders: number) => number) => void

const HoldContext = createContext<Count | undefined>(undefined)

interface HeldDialogProps extends Omit<ComponentProps<typeof Dialog>, 'insistent'> {
  /** Shown if the user tries to leave while the dialog is held. */
  reminder: string
}

/**
 * A dialog that shows a one-time value or sends input that must not be lost. While a child holds it (`useHold`), only
 * its own buttons close it: not Escape, a click outside, Back, a link or a command. The browser asks before the tab is
 * closed or reloaded.
 */
export const HeldDialog = ({ opened, reminder, children, ...props }: HeldDialogProps) => {
  const [holders, setHolders] = useState(0)
  const [isReminded, setReminded] = useState(false)
  const isHeld = holders > 0
  useBlocker({
    shouldBlockFn: () => {
      setReminded(true)
      return true
    },
    enableBeforeUnload: true,
    disabled: !isHeld,
  })
  useEffect(() => {
    if (!isHeld) setReminded(false)
  }, [isHeld])
  return (
    <Dialog {...props} opened={opened || isHeld} insistent={isHeld}>
      <HoldContext value={setHolders}>
        <Stack gap="md">
          {isReminded && (
            <Alert color="red" variant="light" role="alert" p="xs">
              {reminder}
            </Alert>
          )}
          {children}
        </Stack>
      </HoldContext>
    </Dialog>
  )
}

/** Holds the surrounding dialog while `isActive`. */
export const useHold = (isActive = true): void => {
  const count = useContext(HoldContext)
  if (!count) throw new Error('useHold must be used inside a HeldDialog')
  useEffect(() => {
    if (!isActive) return undefined
    count((holders) => holders + 1)
    return () => count((holders) => holders - 1)
  }, [isActive, count])
}
