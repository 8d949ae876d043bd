import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'

/** Leaves a deleted engagement for the list, and forgets its pages: going back would show them once more. */
export const useLeaveEngagement = (): (() => Promise<void>) => {
  const organization = useOrganization()
  const router = useRouter()
  const cache = useQueryClient()
  return async () => {
    await router.navigate({ href: paths.engagements(organization.slug), replace: true })
    cache.removeQueries({ queryKey: [organization.id], type: 'inactive' })
  }
}
