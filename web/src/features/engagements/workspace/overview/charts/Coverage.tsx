import { Progress, Text } from '@mantine/core'
import { paths } from '../../../../../paths.ts'
import { useEngagement } from '../../../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../../../shell/context/organization.tsx'
import { PlainLink } from '../../../../../shell/routing/links.tsx'
import classes from './charts.module.css'

const NUMBER = new Intl.NumberFormat('en')

/** Share of in-scope targets that a scan or import has seen; links to the list, unseen targets first. */
export const Coverage = ({ inScope, seen }: { inScope: number; seen: number }) => {
  const { slug } = useOrganization()
  const { engagement } = useEngagement()
  if (inScope === 0) {
    return (
      <Text size="sm" c="dimmed">
        No target is in scope yet.
      </Text>
    )
  }
  return (
    <>
      <Progress value={(100 * seen) / inScope} aria-label="Targets in scope that were seen" />
      <p className={classes.legend}>
        {NUMBER.format(seen)} of {NUMBER.format(inScope)} targets in scope have been seen by a scan or an import.{' '}
        {seen < inScope && (
          <PlainLink
            to={paths.targets(slug, engagement.id)}
            search={{ verdict: 'in,caution', sort: 'lastSeenAt', order: 'desc' }}
            className={classes.number}
          >
            See the others
          </PlainLink>
        )}
      </p>
    </>
  )
}
