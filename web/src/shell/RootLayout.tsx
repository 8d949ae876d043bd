import { Outlet } from '@tanstack/react-router'
import { UnsavedGuard } from '../forms/UnsavedGuard.tsx'
import { ConnectionBanner } from './connection.tsx'
import { NavigationProgress } from './NavigationProgress.tsx'

/** Root layout of every page. */
export const RootLayout = () => (
  <>
    <NavigationProgress />
    <Outlet />
    <ConnectionBanner />
    <UnsavedGuard />
  </>
)
