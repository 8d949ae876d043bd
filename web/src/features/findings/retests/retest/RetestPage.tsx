import { useQuery } from '@tanstack/react-query'
import { query } from '../../../../api/api.ts'
import { rows } from '../../../../api/rows.ts'
import { describeDates } from '../../../../domain/engagement-days.ts'
import { paths } from '../../../../paths.ts'
import { useEngagement } from '../../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { QueryView } from '../../../../shell/reads/QueryView.tsx'
import { PageSkeleton } from '../../../../shell/reads/skeletons.tsx'
import { WithCrumbs } from '../../../../shell/routing/breadcrumbs.tsx'
import { ListSkeleton } from '../../../../ui/feedback/ListSkeleton.tsx'
import { useRows } from '../../../../ui/grid/rows/use-rows.ts'
import { Fill } from '../../../../ui/page/Fill.tsx'
import { Page } from '../../../../ui/page/Page.tsx'
import { OUTCOME_LABELS, OUTCOMES, progressOf, type Retest, RetestStateLabel } from '../retest-words.tsx'
import classes from '../retests.module.css'
import { one as route } from '../retests.routes.ts'
import { RetestActions } from './RetestActions.tsx'
import { WorkList } from './WorkList.tsx'

/** One retest: its items, worked through by keyboard, next to the finding and its proof. */
export const RetestPage = () => {
  const organization = useOrganization()
  const { engagementId, retestId } = route.useParams()
  const read = useQuery(query(organization.id, 'getRetest', { params: { retestId } }))
  return (
    <WithCrumbs crumbs={[{ label: 'Retests', to: paths.retests(organization.slug, engagementId) }]}>
      <QueryView query={read} skeleton={<PageSkeleton />}>
        {({ data }) => <Shown key={data.id} retest={data} />}
      </QueryView>
    </WithCrumbs>
  )
}

const Shown = ({ retest }: { retest: Retest }) => {
  const { id: organizationId } = useOrganization()
  const { engagement, isArchived } = useEngagement()
  const { left = false } = route.useSearch()
  const list = useRows(
    rows(organizationId, 'listRetestItems', {
      params: { retestId: retest.id },
      query: { order: 'asc', ...(left && { outcome: ['none'] }) },
    }),
  )
  return (
    <Page
      title={retest.name}
      documentTitle={`${retest.name} · ${engagement.name}`}
      description="Each outcome sets the status of its asset, and the status of the finding follows. “Not retested” leaves it."
      facts={<Facts retest={retest} />}
      actions={!isArchived && <RetestActions retest={retest} />}
      layout="full"
    >
      <Fill>
        <QueryView query={list.query} skeleton={<ListSkeleton rows={10} height={32} />}>
          {() => (
            <WorkList
              retest={retest}
              list={list}
              isLeftOnly={left}
              mayChange={!isArchived && retest.state !== 'done'}
            />
          )}
        </QueryView>
      </Fill>
    </Page>
  )
}

const Facts = ({ retest }: { retest: Retest }) => {
  const { engagement } = useEngagement()
  const { done, total } = progressOf(retest.counts)
  const outcomes = OUTCOMES.filter((outcome) => retest.counts[outcome] > 0)
  return (
    <div className={classes.facts}>
      <RetestStateLabel state={retest.state} />
      <span>
        {done.toLocaleString('en')} of {total.toLocaleString('en')} tested
      </span>
      {outcomes.length > 0 && (
        <span>
          {outcomes
            .map((outcome) => `${retest.counts[outcome].toLocaleString('en')} ${OUTCOME_LABELS[outcome].toLowerCase()}`)
            .join(', ')}
        </span>
      )}
      <span>{datesOf(retest, engagement.status)}</span>
    </div>
  )
}

/** What the dates of a retest allow. */
const datesOf = (retest: Retest, status: string): string => {
  if (retest.startsOn === null)
    return status === 'completed' ? 'No dates: it sends nothing in a completed engagement' : 'No dates set'
  const dates = describeDates(retest)
  if (retest.state === 'running') return `${dates}, which count as testing dates`
  return retest.state === 'planned' ? `${dates}, testing dates once it runs` : dates
}
