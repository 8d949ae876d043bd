import type { ReactNode } from 'react'
import type { Scan } from '../../../domain/scan-states.tsx'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { TextLink } from '../../../shell/routing/links.tsx'
import { Properties } from '../../../ui/lists/Properties.tsx'
import { Person } from '../../../ui/people/Person.tsx'
import { CopyId } from '../../../ui/values/CopyId.tsx'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { describeStep, describeTargets, TRIGGER_LABELS } from '../labels.ts'

/** Scanners, targets and requester of a scan. */
export const ScanFacts = ({ scan }: { scan: Scan }) => (
  <Properties
    items={[
      ['Scanners', <Steps key="steps" scan={scan} />],
      ['Targets', describeTargets(scan.targets)],
      ['Trigger', <Trigger key="trigger" scan={scan} />],
      ['By', scan.requestedBy ? <Person key="by" name={scan.requestedBy.name} /> : 'An API key'],
      ['Queued', <TimeAgo key="created" iso={scan.createdAt} />],
      ['Started', <TimeAgo key="started" iso={scan.startedAt} never="not yet" />],
      ['Finished', <TimeAgo key="finished" iso={scan.finishedAt} never="not yet" />],
      ['Id', <CopyId key="id" id={scan.id} />],
    ]}
  />
)

const Steps = ({ scan }: { scan: Scan }): ReactNode =>
  scan.scanners.map((step) => <div key={step.id}>{describeStep(step)}</div>)

const Trigger = ({ scan: { trigger, scheduleId, engagementId } }: { scan: Scan }): ReactNode => {
  const { slug } = useOrganization()
  if (scheduleId === null) return TRIGGER_LABELS[trigger]
  return (
    <TextLink to={`${paths.scanSchedules(slug, engagementId)}?peek=${scheduleId}`}>{TRIGGER_LABELS[trigger]}</TextLink>
  )
}
