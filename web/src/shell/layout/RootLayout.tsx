import { Outlet } from '@tanstack/react-router'
import { UnsavedGuard } from '../../forms/unsaved/UnsavedGuard.tsx'
import { ConnectionBanner } from '../banners/connection.tsx'
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
