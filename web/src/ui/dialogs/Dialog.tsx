import { Modal } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import classes from './Dialog.module.css'
import { FocusOnOpen } from './FocusOnOpen.tsx'
import { isSavingWithin, confirmDiscard } from './unsaved.ts'
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
  /** As large as the window, with content that fills it. */
  fills?: boolean
  children: ReactNode
}

/**
 * A modal dialog. Escape, the close button and a click outside close it; if a form in it has changes the user is asked
 * first, and during a save the dialog stays open. With several dialogs, Escape closes the focused one.
 */
export const Dialog = ({
  opened,
  onClose,
  title,
  size = 'md',
  insistent = false,
  topmost = false,
  fills = false,
  children,
}: DialogProps) => {
  const anchor = useRef<HTMLSpanElement>(null)
  const surface = () => anchor.current?.closest('[role="dialog"]') ?? null
  const close = async () => {
    const dialog = surface()
    if (dialog && isSavingWithin(dialog)) return
    if (await confirmDiscard(dialog)) onClose()
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
      fullScreen={fills}
      centered
      yOffset="calc(var(--app-dialog-margin) + var(--app-banner-height))"
      lockScroll={false}
      closeOnClickOutside={!insistent}
      closeOnEscape={false}
      withCloseButton={!insistent}
      closeButtonProps={{ 'aria-label': 'Close' }}
      returnFocus={false}
      {...(topmost && { zIndex: 300 })}
      transitionProps={{ duration: 0 }}
      classNames={{
        content: `${classes.appears} ${fills ? classes.fills : ''}`,
        overlay: classes.appears as string,
        ...(fills && { body: classes.filled as string }),
      }}
      overlayProps={{ backgroundOpacity: 0.45 }}
      styles={{ title: { fontWeight: 600 } }}
      data-app-dialog
    >
      <FocusOnOpen choose={chooseField} />
      <FocusLateField />
      <span ref={anchor} hidden />
      {children}
    </Modal>
  )
}

/**
 * Where the fields come after the dialog, as after a read, the first one takes the focus from the dialog and its cross.
 */
const FocusLateField = () => {
  const anchor = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const dialog = anchor.current?.closest<HTMLElement>('[role="dialog"]')
    if (!dialog || dialog.querySelector('[data-autofocus]')) return undefined
    const observer = new MutationObserver(() => {
      const field = dialog.querySelector<HTMLElement>('[data-autofocus]')
      if (!field) return
      observer.disconnect()
      const { activeElement } = document
      if (activeElement === document.body || activeElement === dialog || activeElement?.matches('.mantine-Modal-close'))
        field.focus({ preventScroll: true })
    })
    observer.observe(dialog, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [])
  return <span ref={anchor} hidden />
}

const chooseField = (anchor: HTMLElement): HTMLElement | null | undefined => {
  const dialog = anchor.closest<HTMLElement>('[role="dialog"]')
  return dialog?.querySelector<HTMLElement>('[data-autofocus]') ?? dialog
}
