import { describeDates, describeDays } from '../../../../domain/engagement-days.ts'
import { EngagementStatusLabel } from '../../../../domain/engagement-status.tsx'
import { paths } from '../../../../paths.ts'
import { type Engagement, type EngagementDetails, useEngagement } from '../../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { TextLink } from '../../../../shell/routing/links.tsx'
import { Properties } from '../../../../ui/lists/Properties.tsx'
import { TimeAgo } from '../../../../ui/values/TimeAgo.tsx'
import { KIND_LABELS } from '../../kinds.ts'
import { describeWindows, type TestingHours } from '../../testing-hours.ts'

/** Status, client, kind, dates, testing hours and people of the open engagement. */
export const Facts = () => {
  const { slug } = useOrganization()
  const { engagement, details, mayChangeDetails, isArchived } = useEngagement()
  return (
    <>
      <EngagementFacts engagement={engagement} details={details} />
      {mayChangeDetails && !isArchived && (
        <TextLink to={paths.engagementSettings(slug, engagement.id)}>Change the details</TextLink>
      )}
    </>
  )
}

/** Facts of an engagement that is not the open one. */
export const EngagementFacts = ({ engagement, details }: { engagement: Engagement; details: EngagementDetails }) => {
  const days = engagement.status === 'active' ? describeDays(details) : undefined
  return (
    <Properties
      items={[
        ['Status', <EngagementStatusLabel key="status" status={engagement.status} />],
        ['Client', details.clientName || NOTHING],
        ['Kind', KIND_LABELS[details.kind]],
        ['Dates', days ? `${describeDates(details)} (${days})` : describeDates(details)],
        ['Testing hours', <Hours key="hours" hours={details.testingHours} />],
        ['Lead', details.lead?.name ?? NOTHING],
        ['Team', details.team.map(({ name }) => name).join(', ') || NOTHING],
        ['Visible to', details.access === 'team' ? 'Lead, team, owner and admins' : 'Everyone in the organization'],
        ['Created', <TimeAgo key="created" iso={engagement.createdAt} />],
        ['Changed', <TimeAgo key="changed" iso={engagement.updatedAt} />],
      ]}
    />
  )
}

const NOTHING = '–'

const Hours = ({ hours }: { hours: TestingHours | null }) => {
  if (!hours) return 'Any time'
  return (
    <>
      {describeWindows(hours).map((line) => (
        <div key={line}>{line}</div>
      ))}
      <div>{hours.timeZone}</div>
    </>
  )
}
