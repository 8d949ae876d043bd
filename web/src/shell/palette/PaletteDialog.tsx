import { Modal } from '@mantine/core'
import { FocusOnOpen } from '../../ui/dialogs/FocusOnOpen.tsx'
import classes from './palette.module.css'
import { PaletteList } from './PaletteList.tsx'
import type { Typed } from './typed.ts'

/** The open palette. @param typed what was typed before it was loaded */
export const PaletteDialog = ({ typed, onClose }: { typed: Typed; onClose: () => void }) => (
  <Modal.Root
    opened
    onClose={onClose}
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
      <PaletteList typed={typed} onDone={onClose} />
    </Modal.Content>
  </Modal.Root>
)
