import { useCanGoBack, useRouter } from '@tanstack/react-router'
import { paths } from '../../../paths.ts'
import { useEngagement } from '../../../shell/engagement.tsx'
import { useOrganization } from '../../../shell/organization.tsx'

/** Leads back to where one came from; for whoever opened the address itself, to the overview. */
export const useLeave = (): (() => void) => {
  const { slug } = useOrganization()
  const { engagement } = useEngagement()
  const router = useRouter()
  const canGoBack = useCanGoBack()
  return () => {
    if (canGoBack) router.history.back()
    else void router.navigate({ href: paths.engagement(slug, engagement.id), replace: true })
  }
}
