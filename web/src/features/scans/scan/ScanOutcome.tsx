import { Alert, Progress } from '@mantine/core'
import { percentOf, type Scan, ScanStateLabel } from '../../../domain/scan-states.tsx'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { TextLink } from '../../../shell/routing/links.tsx'
import classes from '../scans.module.css'
import { differenceAddress } from './difference.ts'

const NUMBER = new Intl.NumberFormat('en')

/** Progress, end state with its reason, and findings of a scan. */
export const ScanOutcome = ({ scan }: { scan: Scan }) => (
  <>
    <ScanStateLabel of={scan} />
    {scan.state === 'running' && <Running scan={scan} />}
    {scan.stateReason && (
      <Alert color={scan.state === 'failed' ? 'red' : 'yellow'} variant="light" p="xs" role="note">
        {scan.stateReason}
      </Alert>
    )}
    {scan.override && (
      <Alert color="red" variant="light" p="xs" role="note" title="Scope and testing hours were overridden">
        {scan.override.reason}
      </Alert>
    )}
    <Counts scan={scan} />
  </>
)

const Running = ({ scan }: { scan: Scan }) => {
  const percent = percentOf(scan)
  return (
    <div>
      <Progress value={percent ?? 0} aria-label="Progress of the scan" />
      {scan.progress && (
        <p className={classes.progress}>
          {NUMBER.format(scan.progress.done)}
          {scan.progress.total !== null && ` of ${NUMBER.format(scan.progress.total)}`} probes
        </p>
      )}
    </div>
  )
}

/** Each number links to the results that it counts. Counts that are usually zero appear only if nonzero. */
const Counts = ({ scan }: { scan: Scan }) => {
  const { id, engagementId, counts } = scan
  const { slug } = useOrganization()
  const seen = `${paths.results(slug, engagementId)}?scanId=${id}`
  const difference = differenceAddress(slug, scan)
  const shown = [
    ['New', counts.created, difference],
    ['Changed', counts.changed, difference],
    ['Gone', counts.gone, difference],
    ['Unchanged', counts.unchanged, seen],
    ...(counts.reappeared > 0 ? ([['Reappeared', counts.reappeared, difference]] as const) : []),
    ...(counts.skipped > 0 ? ([['Left out', counts.skipped, undefined]] as const) : []),
  ] as const
  return (
    <dl className={classes.counts}>
      {shown.map(([name, count, to]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{to && count > 0 ? <TextLink to={to}>{NUMBER.format(count)}</TextLink> : NUMBER.format(count)}</dd>
        </div>
      ))}
    </dl>
  )
}
