import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { messageOf, query } from '../../../../../api/api.ts'
import { useEngagement } from '../../../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../../../shell/context/organization.tsx'
import { Section } from '../../../../../ui/page/Page.tsx'
import classes from './charts.module.css'
import { Coverage } from './Coverage.tsx'
import { SeverityTable } from './SeverityTable.tsx'
import { Weeks } from './Weeks.tsx'

/** Charts of the inventory, each under the question that it answers. */
export const Charts = () => {
  const organization = useOrganization()
  const { engagement } = useEngagement()
  const { data, error } = useQuery(
    query(organization.id, 'getResultSummary', { query: { engagementId: engagement.id } }),
  )
  if (!data) {
    if (!error) return <Skeleton height={240} aria-label="Loading" role="status" />
    return (
      <Text size="sm" c="dimmed" role="alert">
        {messageOf(error)}
      </Text>
    )
  }
  const { weeks, vulnerabilities, targets } = data.data
  return (
    <div className={classes.charts}>
      <Section title="Findings per week">
        <Weeks weeks={weeks} />
      </Section>
      <Section title="Open findings">
        <SeverityTable counts={vulnerabilities} />
      </Section>
      <Section title="Targets covered">
        <Coverage {...targets} />
      </Section>
    </div>
  )
}
