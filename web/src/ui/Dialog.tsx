import { Modal } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { isSavingWithin, mayLeave } from '../forms/unsaved.ts'
import classes from './Dialog.module.css'
import { FocusOnOpen } from './FocusOnOpen.tsx'
import { useEscape } from './use-escape.ts'

interface DialogProps {
  opened: boolean
  onClose: () => void
  title: string
  size?: 'sm' | 'md' | 'lg' | 'xl'
  /** Only its own buttons close it, because its content would be lost. */
  insistent?: boolean
  /** Above every other dialog, regardless of DOM order. */
  topmost?: boolean
  children: ReactNode
}

/**
 * A modal dialog. Escape, the close button and a click outside close it; if a form in it has changes the user is asked first, and
 * during a save the dialog stays open. With several dialogs, Escape closes the focused one.
 */
export const Dialog = ({ opened, onClose, title, size = 'md', insistent = false, topmost = false, children }: DialogProps) => {
  const anchor = useRef<HTMLSpanElement>(null)
  const surface = () => anchor.current?.closest('[role="dialog"]') ?? null
  const close = async () => {
    const dialog = surface()
    if (dialog && isSavingWithin(dialog)) return
    if (await mayLeave(dialog)) onClose()
  }
  useEscape(opened, surface, () => {
    if (!insistent) void close()
  })
  return (
    <Modal
      opened={opened}
      onClose={() => void close()}
      title={title}
      size={size}
      centered
      lockScroll={false}
      closeOnClickOutside={!insistent}
      closeOnEscape={false}
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
      <span ref={anchor} hidden />
      {children}
    </Modal>
  )
}

const chooseField = (anchor: HTMLElement): HTMLElement | null | undefined => {
  const dialog = anchor.closest<HTMLElement>('[role="dialog"]')
  return dialog?.querySelector<HTMLElement>('[data-autofocus]') ?? dialog
}
