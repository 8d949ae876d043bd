import { type NotificationData, notifications } from '@mantine/notifications'
import { forgetUndo } from './last-undo.ts'

/** The toast that another one may replace: none of an error. */
let shown: string | undefined

/** Shows one toast at a time: the newest, and errors before all others until they were read. */
const show = (data: NotificationData, isError: boolean): string => {
  if (shown !== undefined) notifications.hide(shown)
  const id = notifications.show({
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Dismiss' },
    priority: isError ? 1 : 0,
    ...data,
  })
  shown = isError ? undefined : id
  return id
}

/** A passing note that something was done. */
export const toast = (message: string): void => void show({ message, role: 'status' }, false)

/** The same, with something that can be done about it. @param autoClose milliseconds @returns what takes it away */
export const toastWith = (message: NotificationData['message'], autoClose: number): (() => void) => {
  const id = show({ message, autoClose, role: 'status' }, false)
  return () => void notifications.hide(id)
}

/** Takes every note away, and what Ctrl+Z would undo. */
export const clearToasts = (): void => {
  forgetUndo()
  shown = undefined
  notifications.clean()
}

/** A note that something was not done, and why: 10 seconds, and once where several things fail for the same reason. */
export const toastError = (message: string): void =>
  void show({ id: `error ${message}`, message, color: 'red', autoClose: 10_000, role: 'alert' }, true)
