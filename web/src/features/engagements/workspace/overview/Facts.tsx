import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { query } from '../../../../api/api.ts'
import { describeDates, describeDays } from '../../../../domain/engagement-days.ts'
import { EngagementStatusLabel } from '../../../../domain/engagement-status.tsx'
import { paths } from '../../../../paths.ts'
import { type Engagement, type EngagementDetails, useEngagement } from '../../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { TextLink } from '../../../../shell/routing/links.tsx'
import { ListSkeleton } from '../../../../ui/feedback/ListSkeleton.tsx'
import { Properties } from '../../../../ui/lists/Properties.tsx'
import { lazyPart } from '../../../../ui/load-part.ts'
import { Person } from '../../../../ui/people/Person.tsx'
import { TimeAgo } from '../../../../ui/values/TimeAgo.tsx'
import { KIND_LABELS } from '../../kinds.ts'
import { describeWindows, type TestingHours } from '../../testing-hours.ts'

const EngagementProperties = lazyPart(() => import('../properties/EngagementProperties.tsx'), 'EngagementProperties')

/**
 * Status, client, kind, dates, testing hours and people of the open engagement; fields for those who may change them.
 */
export const Facts = () => {
  const { engagement, details, mayChangeDetails, isArchived } = useEngagement()
  return (
    <>
      {mayChangeDetails && !isArchived ? (
        <Suspense fallback={<ListSkeleton rows={8} />}>
          <EngagementProperties />
        </Suspense>
      ) : (
        <EngagementFacts engagement={engagement} details={details} />
      )}
      {!isArchived && <RetestDates engagementId={engagement.id} />}
    </>
  )
}

/** Dates of running retests, which count as testing dates, too. */
const RetestDates = ({ engagementId }: { engagementId: string }) => {
  const { id, slug } = useOrganization()
  const { data } = useQuery(query(id, 'listRetests', { query: { engagementId, state: ['running'] } }))
  const dated = data?.data.filter(({ startsOn }) => startsOn !== null) ?? []
  return dated.map((retest) => (
    <div key={retest.id}>
      Also testing dates: {describeDates(retest)} (
      <TextLink to={paths.retest(slug, engagementId, retest.id)}>{retest.name}</TextLink>)
    </div>
  ))
}

/** Facts of an engagement that is not the open one. */
export const EngagementFacts = ({ engagement, details }: { engagement: Engagement; details: EngagementDetails }) => {
  const days = engagement.status === 'active' ? describeDays(details) : undefined
  return (
    <Properties
      items={[
        ['Status', <EngagementStatusLabel key="status" status={engagement.status} />],
        ['Client', details.clientName || NOTHING],
        [details.kinds.length === 1 ? 'Kind' : 'Kinds', details.kinds.map((kind) => KIND_LABELS[kind]).join(', ')],
        ['Dates', days ? `${describeDates(details)} (${days})` : describeDates(details)],
        ['Testing hours', <Hours key="hours" hours={details.testingHours} />],
        ['Lead', details.lead ? <Person key="lead" name={details.lead.name} /> : NOTHING],
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
