import { Outlet } from '@tanstack/react-router'
import { SessionGuard } from './SessionGuard.tsx'

/** Everything that needs somebody signed in. */
export const SignedInLayout = () => (
  <SessionGuard>
    <Outlet />
  </SessionGuard>
)
