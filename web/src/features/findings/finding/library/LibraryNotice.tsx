import { Alert, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../../../api/api.ts'
import { paths } from '../../../../paths.ts'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { ButtonLink } from '../../../../shell/routing/links.tsx'
import type { Finding } from '../../labels.ts'

/** Says that the library entry of a finding has a newer version than the one that the finding was made from. */
export const LibraryNotice = ({ finding }: { finding: Finding }) => {
  const { id, slug } = useOrganization()
  const { data } = useQuery({
    ...query(id, 'getLibraryDiff', { params: { findingId: finding.id }, query: {} }),
    enabled: finding.libraryEntryId !== null,
    // A deleted entry is 404.
    retry: false,
  })
  const difference = data?.data
  if (!difference || difference.currentVersion <= (finding.libraryVersion ?? 0)) return null
  return (
    <Alert color="blue" variant="light" role="status">
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          The library entry has changed: this finding has version {finding.libraryVersion}, the library has version{' '}
          {difference.currentVersion}.
        </Text>
        <ButtonLink
          size="compact-sm"
          variant="default"
          to={`${paths.finding(slug, finding.engagementId, finding.id)}?view=library`}
        >
          Compare
        </ButtonLink>
      </Group>
    </Alert>
  )
}
