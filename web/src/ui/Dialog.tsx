import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Dialog.module.css'
import { FocusOnOpen } from './FocusOnOpen.tsx'

interface DialogProps {
  opened: boolean
  onClose: () => void
  title: string
  size?: 'sm' | 'md' | 'lg'
  /** Nothing but its own buttons closes it: what it holds would be gone. */
  insistent?: boolean
  /** Over every other dialog, whichever of them came to the page first. */
  topmost?: boolean
  children: ReactNode
}

/** A dialog over the page. Escape and a click beside it close it. */
export const Dialog = ({ opened, onClose, title, size = 'md', insistent = false, topmost = false, children }: DialogProps) => (
  <Modal
    opened={opened}
    onClose={onClose}
    title={title}
    size={size}
    centered
    lockScroll={false}
    closeOnClickOutside={!insistent}
    closeOnEscape={!insistent}
    withCloseButton={!insistent}
    closeButtonProps={{ 'aria-label': 'Close' }}
    returnFocus={false}
    {...(topmost && { zIndex: 300 })}
    transitionProps={{ duration: 0 }}
    classNames={{ content: classes.appears as string, overlay: classes.appears as string }}
    overlayProps={{ backgroundOpacity: 0.45 }}
    styles={{ title: { fontWeight: 600 } }}
    data-app-dialog
  >
    <FocusOnOpen choose={chooseField} />
    {children}
  </Modal>
)

const chooseField = (anchor: HTMLElement): HTMLElement | null | undefined => {
  const dialog = anchor.closest<HTMLElement>('[role="dialog"]')
  return dialog?.querySelector<HTMLElement>('[data-autofocus]') ?? dialog
}
