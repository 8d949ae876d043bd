import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../api/api.ts'
import { paths } from '../../paths.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { TextLink } from '../../shell/routing/links.tsx'
import type { OperationsSearch } from './operations-search.ts'

/** Matching traffic without an engagement, next to the result for one engagement. */
export const WithoutEngagement = ({ search: { address, at, kind } }: { search: OperationsSearch }) => {
  const { id, slug } = useOrganization()
  const isAsked = address !== undefined || at !== undefined
  const asked = {
    ...(address !== undefined && { address }),
    ...(at !== undefined && { at }),
    ...(kind !== undefined && { kind: [kind] }),
  }
  const found = useQuery({
    ...query(id, 'listOperations', { query: { organization: true, perPage: 1, ...asked } }),
    enabled: isAsked,
  })
  const total = found.data?.meta.total ?? 0
  if (!isAsked || total === 0) return null
  const link = new URLSearchParams({ ...(address !== undefined && { address }), ...(at !== undefined && { at }) })
  return (
    <Alert color="yellow" variant="light" p="xs">
      {total === 1 ? 'One request was' : `${total} requests were`} sent without an engagement and{' '}
      {total === 1 ? 'fits' : 'fit'} as well.{' '}
      <TextLink to={`${paths.organizationOperations(slug)}?${link.toString()}`}>
        Show {total === 1 ? 'it' : 'them'}
      </TextLink>
    </Alert>
  )
}
