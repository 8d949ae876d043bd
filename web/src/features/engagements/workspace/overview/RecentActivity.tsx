import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { messageOf, query } from '../../../../api/api.ts'
import { describeEntry } from '../../../../domain/activity.ts'
import { paths } from '../../../../paths.ts'
import { useEngagement } from '../../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { TextLink } from '../../../../shell/routing/links.tsx'
import { Person } from '../../../../ui/people/Person.tsx'
import { TimeAgo } from '../../../../ui/values/TimeAgo.tsx'
import classes from '../workspace.module.css'

const SHOWN = 5

/** The latest changes, with a link to all of them. */
export const RecentActivity = () => {
  const organization = useOrganization()
  const { engagement } = useEngagement()
  const activity = useQuery(
    query(organization.id, 'listEngagementActivity', {
      params: { engagementId: engagement.id },
      query: { perPage: SHOWN },
    }),
  )
  if (!activity.data) {
    if (!activity.error) return <Skeleton height={120} aria-label="Loading" role="status" />
    return (
      <Text size="sm" c="dimmed" role="alert">
        {messageOf(activity.error)}
      </Text>
    )
  }
  return (
    <>
      <ul className={classes.contacts}>
        {activity.data.data.map((entry) => (
          <li key={entry.id}>
            {describeEntry(entry)}
            <Text size="xs" c="dimmed" component="div">
              <Person name={entry.actor.name} /> · <TimeAgo iso={entry.createdAt} />
            </Text>
          </li>
        ))}
      </ul>
      <TextLink to={paths.engagementActivity(organization.slug, engagement.id)}>All activity</TextLink>
    </>
  )
}
