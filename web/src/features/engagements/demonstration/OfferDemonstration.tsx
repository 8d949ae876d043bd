import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { messageOf } from '../../../api/api.ts'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { toastError } from '../../../ui/toasts/toast.ts'
import { createDemonstration } from './create-demonstration.ts'

/** Creates the demonstration engagement and opens it. */
export const OfferDemonstration = () => {
  const { id, slug } = useOrganization()
  const cache = useQueryClient()
  const router = useRouter()
  const create = useMutation({
    mutationFn: () => createDemonstration(id),
    onSuccess: (engagementId) => router.navigate({ href: paths.engagement(slug, engagementId) }),
    onError: (error) => toastError(messageOf(error)),
    onSettled: () => cache.invalidateQueries({ queryKey: [id] }),
  })
  return (
    <Button variant="default" loading={create.isPending} onClick={() => create.mutate()}>
      Load a demonstration
    </Button>
  )
}
