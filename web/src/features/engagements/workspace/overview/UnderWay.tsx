import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../../../api/api.ts'
import { SCAN_REFRESH_MS, ScanStateLabel } from '../../../../domain/scan-states.tsx'
import { paths } from '../../../../paths.ts'
import { useEngagement } from '../../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { TextLink } from '../../../../shell/routing/links.tsx'
import { Section } from '../../../../ui/page/Page.tsx'
import classes from '../workspace.module.css'
import { StopEverything } from './StopEverything.tsx'

const SHOWN = 100

/**
 * Running and scheduled traffic to the client's systems, with a button that stops all of it. Empty if there is none.
 */
export const UnderWay = () => {
  const organization = useOrganization()
  const { engagement, isArchived } = useEngagement()
  const engagementId = engagement.id
  const whileAny = ({ state: { data } }: { state: { data?: { data: unknown[] } | undefined } }) =>
    data && data.data.length > 0 ? SCAN_REFRESH_MS : false
  const running = useQuery({
    ...query(organization.id, 'listScans', { query: { engagementId, state: ['queued', 'running'], perPage: SHOWN } }),
    refetchInterval: whileAny,
  })
  const sequences = useQuery({
    ...query(organization.id, 'listRequestSequences', { query: { engagementId, state: ['running'], perPage: 1 } }),
    refetchInterval: whileAny,
  })
  const schedules = useQuery(
    query(organization.id, 'listScanSchedules', { query: { engagementId, enabled: true, perPage: 1 } }),
  )
  const scans = running.data?.data ?? []
  const lines = [
    counted(sequences.data?.meta.total, 'sequence of requests runs', 'sequences of requests run'),
    counted(schedules.data?.meta.total, 'schedule is on', 'schedules are on'),
  ].filter((line) => line !== undefined)
  if (scans.length === 0 && lines.length === 0) return null
  return (
    <Section title="Under way" actions={!isArchived && <StopEverything engagementId={engagementId} />}>
      <ul className={classes.contacts}>
        {scans.map((scan) => (
          <li key={scan.id}>
            <TextLink to={paths.openScan(organization.slug, engagementId, scan.id)}>{scan.name}</TextLink>
            <Text size="xs" c="dimmed" component="div">
              <ScanStateLabel of={scan} />
            </Text>
          </li>
        ))}
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Section>
  )
}

/** Undefined for none. The server does not count beyond 10,000. */
const counted = (total: number | null | undefined, one: string, many: string): string | undefined =>
  total === undefined || total === 0 ? undefined : `${total ?? 'More than 10,000'} ${total === 1 ? one : many}`
