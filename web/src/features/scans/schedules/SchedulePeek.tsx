import { Alert, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { TextLink } from '../../../shell/routing/links.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { Properties } from '../../../ui/lists/Properties.tsx'
import { CopyId } from '../../../ui/values/CopyId.tsx'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { describeStep, describeTargets, type Schedule } from '../labels.ts'
import classes from '../scans.module.css'
import { EnabledLabel } from './columns.tsx'
import { describeTiming } from './cron.ts'
import { ScheduleActions } from './ScheduleActions.tsx'

/** Details of a schedule. @param onGone called after deletion */
export const SchedulePeek = ({ scheduleId, onGone }: { scheduleId: string; onGone: () => void }) => {
  const organization = useOrganization()
  const read = useQuery(query(organization.id, 'getScanSchedule', { params: { scheduleId } }))
  return (
    <QueryView query={read} skeleton={<ListSkeleton rows={6} height={24} />}>
      {({ data }) => (
        <Stack gap="md">
          <Title order={2} pr="xl" className={classes.title}>
            {data.name}
          </Title>
          <EnabledLabel enabled={data.enabled} />
          <ScheduleActions schedule={data} onGone={onGone} />
          <Facts schedule={data} />
        </Stack>
      )}
    </QueryView>
  )
}

const Facts = ({ schedule }: { schedule: Schedule }) => {
  const { slug } = useOrganization()
  const {
    id,
    engagementId,
    cron,
    timeZone,
    enabled,
    nextRunAt,
    scanners,
    targets,
    lastScanId,
    lastSkippedAt,
    lastSkipReason,
  } = schedule
  return (
    <>
      {lastSkippedAt && (
        <Alert color="yellow" variant="light" p="xs" role="note">
          A run was skipped <TimeAgo iso={lastSkippedAt} />: {lastSkipReason}
        </Alert>
      )}
      <Properties
        items={[
          ['When', describeTiming(cron, timeZone)],
          ['Next run', <TimeAgo key="next" iso={nextRunAt} never={enabled ? 'none' : 'none while it is off'} />],
          ['Scanners', scanners.map((step) => <div key={step.id}>{describeStep(step)}</div>)],
          ['Targets', describeTargets(targets)],
          [
            'Last scan',
            lastScanId ? (
              <TextLink key="last" to={paths.openScan(slug, engagementId, lastScanId)}>
                Open it
              </TextLink>
            ) : (
              'None yet'
            ),
          ],
          ['Id', <CopyId key="id" id={id} />],
        ]}
      />
    </>
  )
}
