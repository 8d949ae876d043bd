import type { UseQueryResult } from '@tanstack/react-query'
import { Navigate, useLocation } from '@tanstack/react-router'
import { useOrganization } from '../context/organization.tsx'
import { QueryView } from './QueryView.tsx'
import { PageSkeleton } from './skeletons.tsx'

interface OpenPeekProps {
  object: UseQueryResult<{ data: { id: string; engagementId: string } }>
  list: 'targets' | 'results' | 'imports'
}

/** Redirects an address with only the object's id to the object's preview, in the list of its engagement. */
export const OpenPeek = ({ object, list }: OpenPeekProps) => {
  const organization = useOrganization()
  const hash = useLocation({ select: (location) => location.hash })
  return (
    <QueryView query={object} skeleton={<PageSkeleton />}>
      {({ data: { id, engagementId } }) => (
        <Navigate
          to={`/o/$slug/engagements/$engagementId/${list}`}
          params={{ slug: organization.slug, engagementId }}
          search={{ peek: id }}
          hash={hash}
          replace
        />
      )}
    </QueryView>
  )
}
