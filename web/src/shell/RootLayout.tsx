import { Outlet } from '@tanstack/react-router'
import { UnsavedGuard } from '../forms/UnsavedGuard.tsx'
import { ConnectionBanner } from './connection.tsx'

/** What every page has. */
export const RootLayout = () => (
  <>
    <Outlet />
    <ConnectionBanner />
    <UnsavedGuard />
  </>
)
