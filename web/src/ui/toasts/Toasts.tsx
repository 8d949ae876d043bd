import { useNotifications } from '@mantine/notifications'
import { Suspense } from 'react'
import { lazyPart } from '../load-part.ts'
import { useOverlaysLoaded } from '../overlays/overlays.ts'

const ToastArea = lazyPart(() => import('./ToastArea.tsx'), 'ToastArea')

/** Place of the toasts: loaded after the first page, or with the first toast. */
export const Toasts = () => {
  const isLoaded = useOverlaysLoaded()
  const { notifications } = useNotifications()
  return <Suspense>{(isLoaded || notifications.length > 0) && <ToastArea />}</Suspense>
}
