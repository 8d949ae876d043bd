import { Notice } from '../../ui/feedback/Notice.tsx'
import { PersonalLayout } from '../layout/PersonalLayout.tsx'

/** For a user without an organization; all others are redirected to one. */
export const HomePage = () => (
  <PersonalLayout title="Sortie">
    <Notice title="You are not in an organization yet">
      Ask a member to invite you, then open the link in the email in this browser.
    </Notice>
  </PersonalLayout>
)
