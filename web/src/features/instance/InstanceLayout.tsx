import { NoAccessPage } from '../../shell/pages.tsx'
import { PersonalLayout } from '../../shell/PersonalLayout.tsx'
import { useAccount } from '../../shell/session.tsx'

export const InstanceLayout = () => (useAccount().isInstanceAdmin ? <PersonalLayout title="Instance" /> : <NoAccessPage />)
