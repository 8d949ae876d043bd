import { Notice } from '../../ui/feedback/Notice.tsx'
import { PersonalLayout } from '../layout/PersonalLayout.tsx'

/** For a user without an organization; all others are redirected to one. */
export const HomePage = () => (
  <PersonalLayout title="Sortie">
    <Notice title="You are in no organization yet">Ask somebody who is to invite you. The mail carries a link: open it in this browser, and you are in.</Notice>
  </PersonalLayout>
)
