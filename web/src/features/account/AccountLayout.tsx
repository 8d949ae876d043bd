import { PersonalLayout } from '../../shell/layout/PersonalLayout.tsx'

export const AccountLayout = () => <PersonalLayout title="Account" />
