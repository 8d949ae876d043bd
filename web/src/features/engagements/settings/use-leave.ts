import { useCanGoBack, useRouter } from '@tanstack/react-router'
import { paths } from '../../../paths.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'

/** Goes back to the previous page, or to the overview if the address was opened directly. */
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
