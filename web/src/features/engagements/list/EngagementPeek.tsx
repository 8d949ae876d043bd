import { Stack, Title } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { query } from '../../../api.ts'
import { paths } from '../../../paths.ts'
import { ButtonLink } from '../../../shell/links.tsx'
import { useOrganization } from '../../../shell/organization.tsx'
import { QueryFailed } from '../../../shell/pages.tsx'
import { ListSkeleton } from '../../../ui/ListSkeleton.tsx'
import { Markdown } from '../../../ui/Markdown.tsx'
import { EngagementFacts } from '../workspace/Facts.tsx'

/** An engagement beside the list: its facts and its brief. */
export const EngagementPeek = ({ engagementId }: { engagementId: string }) => {
  const organization = useOrganization()
  const params = { engagementId }
  const [engagement, details] = useQueries({
    queries: [query(organization.id, 'getEngagement', { params }), query(organization.id, 'getEngagementDetails', { params })],
  })
  if (!engagement.data || !details.data) {
    const error = engagement.error ?? details.error
    if (!error) return <ListSkeleton rows={5} height={24} />
    return <QueryFailed error={error} onRetry={() => void Promise.all([engagement.refetch(), details.refetch()])} />
  }
  const { data } = engagement.data
  return (
    <Stack gap="md">
      <Title order={2} pr="xl">
        {data.name}
      </Title>
      <EngagementFacts engagement={data} details={details.data.data} />
      <Markdown text={data.description} />
      <div>
        <ButtonLink variant="default" to={paths.engagement(organization.slug, engagementId)}>
          Open
        </ButtonLink>
      </div>
    </Stack>
  )
}
