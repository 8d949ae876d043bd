import { Notifications } from '@mantine/notifications'

/** One toast at a time, at the bottom centre. */
export const ToastArea = () => (
  <Notifications position="bottom-center" autoClose={3000} limit={1} containerWidth={320} />
)
