import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useApiMutation } from '../../api/api.ts'
import { paths } from '../../paths.ts'
import { toast } from '../../ui/toasts/toast.ts'

/** Accepts the invitation and opens the organization. */
export const useAccept = () => {
  const router = useRouter()
  const cache = useQueryClient()
  return useApiMutation(null, 'acceptInvitation', {
    onSuccess: async ({ data }) => {
      cache.removeQueries({ queryKey: [null, 'getAccount'] })
      cache.removeQueries({ queryKey: [null, 'listOwnOrganizations'] })
      toast(`Welcome to ${data.organization.name}.`)
      await router.navigate({ href: paths.start(data.organization.slug), replace: true })
    },
  })
}

export const asRole = (role: 'admin' | 'member'): string => (role === 'admin' ? 'an admin' : 'a member')
