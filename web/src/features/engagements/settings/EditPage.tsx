import { useCanGoBack, useRouter } from '@tanstack/react-router'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/organization.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { useEngagement } from '../engagement.tsx'
import { EditEngagement } from './EditEngagement.tsx'

/** Name and description, at an address of its own: Back leaves it. */
export const EditPage = () => {
  const { slug } = useOrganization()
  const { engagement, mayChange, isArchived } = useEngagement()
  const router = useRouter()
  const canGoBack = useCanGoBack()
  if (!mayChange || isArchived)
    return <Notice title="This cannot be changed">{isArchived ? 'The engagement is archived.' : 'Your role does not change engagements.'}</Notice>
  const leave = () => {
    if (canGoBack) router.history.back()
    else void router.navigate({ href: paths.engagement(slug, engagement.id), replace: true })
  }
  return <EditEngagement engagement={engagement} onDone={leave} />
}
