import { Modal } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { useEffect } from 'react'
import { FocusOnOpen } from '../../ui/dialogs/FocusOnOpen.tsx'
import { onOpenPalette } from './open-palette.ts'
import classes from './palette.module.css'
import { PaletteList } from './PaletteList.tsx'

/**
 * Ctrl+K or Cmd+K: type part of a name, Enter opens it. The field exists as soon as the key is pressed, so that no input is lost.
 */
export const CommandPalette = () => {
  const [opened, { open, close, toggle }] = useDisclosure(false)
  useHotkeys([['mod+K', toggle]], [])
  useEffect(() => onOpenPalette(open), [open])
  return (
    <Modal.Root
      opened={opened}
      onClose={close}
      size={600}
      yOffset="12vh"
      lockScroll={false}
      returnFocus={false}
      transitionProps={{ duration: 0 }}
      classNames={{ content: classes.content as string }}
      data-app-dialog
    >
      <Modal.Overlay backgroundOpacity={0.45} />
      <Modal.Content aria-label="Search or go to">
        <FocusOnOpen choose={(anchor) => anchor.closest('[role="dialog"]')?.querySelector('input')} />
        <PaletteList onDone={close} />
      </Modal.Content>
    </Modal.Root>
  )
}
