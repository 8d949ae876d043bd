import { useQuery } from '@tanstack/react-query'
import { query } from '../../api/api.ts'
import { describeDates } from '../../domain/engagement-days.ts'
import { SINGULARS } from '../../domain/objects.ts'
import { SeverityLabel } from '../../domain/SeverityLabel.tsx'
import { objectPath, paths } from '../../paths.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { useAccount } from '../../shell/context/session.tsx'
import { Part } from '../../shell/reads/Part.tsx'
import parts from '../../shell/reads/parts.module.css'
import { QueryView } from '../../shell/reads/QueryView.tsx'
import { PageSkeleton } from '../../shell/reads/skeletons.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { Person } from '../../ui/people/Person.tsx'
import { capitalised } from '../../ui/text/capitalised.ts'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'
import { FirstRun } from './FirstRun.tsx'
import { describeDue, describeTesting, type Home } from './labels.ts'

/** What the user has to do, and what is under way. */
export const StartPage = () => {
  const { id } = useOrganization()
  const home = useQuery(query(id, 'getHome'))
  return (
    <Page title="Home" layout="list">
      <FirstRun />
      <QueryView query={home} skeleton={<PageSkeleton />}>
        {({ data }) => <Parts home={data} />}
      </QueryView>
    </Page>
  )
}

const Parts = ({ home }: { home: Home }) => {
  const { slug } = useOrganization()
  const { id } = useAccount()
  const { tasks, dueThisWeek, results, drafts, reviews, engagements, scans, unread, recent } = home
  const mine = paths.myTasks(slug)
  const hasDue = dueThisWeek !== null && dueThisWeek.items.length > 0
  const taskFacts = ({ title, status, dueOn }: NonNullable<Home['tasks']>['items'][number]) =>
    [title, capitalised(status.replaceAll('_', ' ')), describeDue(dueOn)] as const
  const findingFacts = ({ title, severity, author }: NonNullable<Home['drafts']>['items'][number]) =>
    [
      title,
      author && author.id !== id && <Person key="author" name={author.name} />,
      <SeverityLabel key="severity" severity={severity} />,
    ] as const
  return (
    <div className={parts.columns}>
      <div className={parts.parts}>
        {dueThisWeek && (
          <Part title="Due this week" all={mine} of={dueThisWeek} to={(task) => paths.task(slug, task.id)}>
            {taskFacts}
          </Part>
        )}
        {tasks && (
          <Part
            title={hasDue ? 'My other tasks' : 'My tasks'}
            all={mine}
            of={tasks}
            to={(task) => paths.task(slug, task.id)}
            {...(!hasDue && { none: 'No open tasks are assigned to you.' })}
          >
            {taskFacts}
          </Part>
        )}
        {reviews && (
          <Part
            title="Waiting for my review"
            of={reviews}
            to={({ engagementId, id }) => paths.finding(slug, engagementId, id)}
          >
            {findingFacts}
          </Part>
        )}
        {drafts && (
          <Part
            title="My draft findings"
            of={drafts}
            to={({ engagementId, id }) => paths.finding(slug, engagementId, id)}
          >
            {findingFacts}
          </Part>
        )}
        {results && (
          <Part
            title="My vulnerabilities"
            of={results}
            to={({ engagementId, id }) => `${paths.results(slug, engagementId)}?peek=${id}`}
          >
            {({ title, severity, asset }) => [title, asset, <SeverityLabel key="severity" severity={severity} />]}
          </Part>
        )}
        <Part
          title="Engagements under way"
          all={paths.engagements(slug)}
          of={{ items: engagements, total: engagements.length }}
          to={({ id }) => paths.engagement(slug, id)}
          none="No engagement is under way."
        >
          {(engagement) => [engagement.name, describeTesting(engagement.testing), describeDates(engagement)]}
        </Part>
      </div>
      <div className={parts.parts}>
        <Part title="Inbox" isCounted={false} of={{ items: [{ id: 'inbox' }], total: 1 }} to={() => paths.inbox(slug)}>
          {() => [unread === 0 ? 'No unread notifications' : `${unread.toLocaleString('en')} unread`]}
        </Part>
        {scans && (
          <Part title="Running scans" of={scans} to={({ engagementId, id }) => paths.openScan(slug, engagementId, id)}>
            {({ name, engagementName, state, done, total }) => [
              name,
              engagementName,
              state === 'queued' || done === null || total === null ? capitalised(state) : `${done} of ${total}`,
            ]}
          </Part>
        )}
        <Part
          title="Recently visited"
          of={{ items: recent, total: recent.length }}
          to={({ type, id }) => (type === 'engagement' ? paths.engagement(slug, id) : objectPath(slug, type, id))}
        >
          {({ title, type, visitedAt }) => [
            title,
            type === 'scan' ? 'Scan' : SINGULARS[type],
            <TimeAgo key="visited" iso={visitedAt} />,
          ]}
        </Part>
      </div>
    </div>
  )
}
