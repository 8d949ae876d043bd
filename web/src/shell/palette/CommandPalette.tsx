import { Modal } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { lazy, Suspense, useEffect } from 'react'
import { onOpenPalette } from './open-palette.ts'
import classes from './palette.module.css'

const PaletteList = lazy(() => import('./PaletteList.tsx').then((module) => ({ default: module.PaletteList })))

/** Ctrl-K or Cmd-K: type a part of what is wanted, Enter goes there. */
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
      transitionProps={{ duration: 60, transition: 'fade' }}
      classNames={{ content: classes.content as string }}
      data-app-dialog
    >
      <Modal.Overlay backgroundOpacity={0.35} />
      <Modal.Content aria-label="Search or go to">
        <Suspense fallback={<div className={classes.waiting} />}>
          <PaletteList onDone={close} />
        </Suspense>
      </Modal.Content>
    </Modal.Root>
  )
}
