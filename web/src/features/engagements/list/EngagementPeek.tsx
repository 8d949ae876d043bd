import { Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { paths } from '../../../paths.ts'
import type { Engagement, EngagementDetails } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { QueryView, together } from '../../../shell/reads/QueryView.tsx'
import { ButtonLink } from '../../../shell/routing/links.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { Markdown } from '../../../ui/text/Markdown.tsx'
import { EngagementFacts } from '../workspace/overview/Facts.tsx'

/** Preview of an engagement next to the list: facts and brief. */
export const EngagementPeek = ({ engagementId }: { engagementId: string }) => {
  const organization = useOrganization()
  const params = { engagementId }
  const engagement = useQuery(query(organization.id, 'getEngagement', { params }))
  const details = useQuery(query(organization.id, 'getEngagementDetails', { params }))
  return (
    <QueryView query={together({ engagement, details })} skeleton={<ListSkeleton rows={5} height={24} />}>
      {(read) => <Shown engagement={read.engagement.data} details={read.details.data} />}
    </QueryView>
  )
}

const Shown = ({ engagement, details }: { engagement: Engagement; details: EngagementDetails }) => {
  const { slug } = useOrganization()
  return (
    <Stack gap="md">
      <Title order={2} pr="xl">
        {engagement.name}
      </Title>
      <EngagementFacts engagement={engagement} details={details} />
      <Markdown text={engagement.description} />
      <div>
        <ButtonLink variant="default" to={paths.engagement(slug, engagement.id)}>
          Open
        </ButtonLink>
      </div>
    </Stack>
  )
}
