import { PersonalLayout } from '../../shell/PersonalLayout.tsx'

export const AccountLayout = () => <PersonalLayout title="Account" />
