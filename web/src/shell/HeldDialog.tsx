import { Alert, Stack } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { type ComponentProps, createContext, useContext, useEffect, useState } from 'react'
import { Dialog } from '../ui/Dialog.tsx'

type Count = (change: (holders: number) => number) => void

const HoldContext = createContext<Count | undefined>(undefined)

interface HeldDialogProps extends Omit<ComponentProps<typeof Dialog>, 'insistent'> {
  /** Said to whoever tries to leave while the dialog is held. */
  reminder: string
}

/**
 * A dialog that shows something once, or sends what must not be lost. While something in it holds it (`useHold`), nothing
 * but its own buttons closes it: not Escape, a click beside it, Back, nor a link or command that leads elsewhere. Before
 * the tab is closed or loaded anew, the browser asks.
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

/** Holds the dialog around this component, as long as `isActive`. */
export const useHold = (isActive = true): void => {
  const count = useContext(HoldContext)
  if (!count) throw new Error('useHold is for what stands in a HeldDialog')
  useEffect(() => {
    if (!isActive) return undefined
    count((holders) => holders + 1)
    return () => count((holders) => holders - 1)
  }, [isActive, count])
}
