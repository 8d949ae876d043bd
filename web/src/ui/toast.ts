import { notifications } from '@mantine/notifications'

/** A passing note that something was done. */
export const toast = (message: string): void => {
  notifications.show({ message, withBorder: true, role: 'status', closeButtonProps: { 'aria-label': 'Dismiss' } })
}

/** Takes every note away. */
export const clearToasts = (): void => notifications.clean()

/** A note that something was not done, and why. Stays until it was read. */
export const toastError = (message: string): void => {
  notifications.show({ message, withBorder: true, color: 'red', autoClose: 10_000, role: 'alert', closeButtonProps: { 'aria-label': 'Dismiss' } })
}
