import { useAccount } from '../../shell/context/session.tsx'
import { PersonalLayout } from '../../shell/layout/PersonalLayout.tsx'
import { NoAccessPage } from '../../shell/routing/pages.tsx'

export const InstanceLayout = () =>
  useAccount().isInstanceAdmin ? <PersonalLayout title="Instance" /> : <NoAccessPage />
