import { Stack, Title } from '@mantine/core'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { ButtonLink } from '../../../shell/routing/links.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import classes from '../scans.module.css'
import { ScanFacts } from './ScanFacts.tsx'
import { ScanOutcome } from './ScanOutcome.tsx'
import { useScan } from './use-scan.ts'

/** Preview of a scan next to the list, without its log. */
export const ScanPeek = ({ scanId }: { scanId: string }) => {
  const { slug } = useOrganization()
  return (
    <QueryView query={useScan(scanId)} skeleton={<ListSkeleton rows={6} height={24} />}>
      {({ data }) => (
        <Stack gap="md">
          <Title order={2} pr="xl" className={classes.title}>
            {data.name}
          </Title>
          <div>
            <ButtonLink variant="default" to={paths.openScan(slug, data.engagementId, data.id)}>
              Open
            </ButtonLink>
          </div>
          <ScanOutcome scan={data} />
          <ScanFacts scan={data} />
        </Stack>
      )}
    </QueryView>
  )
}
