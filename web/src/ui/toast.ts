import { notifications } from '@mantine/notifications'

/** Temporary toast that confirms an action. */
export const toast = (message: string): void => {
  notifications.show({ message, withBorder: true, role: 'status', closeButtonProps: { 'aria-label': 'Dismiss' } })
}

/** Removes all toasts. */
export const clearToasts = (): void => notifications.clean()

/** Toast that reports a failure with its reason. Stays until dismissed. */
export const toastError = (message: string): void => {
  notifications.show({ message, withBorder: true, color: 'red', autoClose: 10_000, role: 'alert', closeButtonProps: { 'aria-label': 'Dismiss' } })
}
