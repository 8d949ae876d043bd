import { Outlet } from '@tanstack/react-router'
import { ConnectionBanner } from './connection.tsx'

/** What every page has. */
export const RootLayout = () => (
  <>
    <Outlet />
    <ConnectionBanner />
  </>
)
