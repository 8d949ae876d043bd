import { PersonalLayout } from '../../shell/PersonalLayout.tsx'
import { useAccount } from '../../shell/session.tsx'
import { NoAccessPage } from '../../shell/pages.tsx'

export const InstanceLayout = () => (useAccount().isInstanceAdmin ? <PersonalLayout title="Instance" /> : <NoAccessPage />)
