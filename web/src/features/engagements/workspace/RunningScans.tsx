import { Button, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, query } from '../../../api.ts'
import { useSend } from '../../../forms/use-send.ts'
import { paths } from '../../../paths.ts'
import { useEngagement } from '../../../shell/engagement.tsx'
import { TextLink } from '../../../shell/links.tsx'
import { useOrganization } from '../../../shell/organization.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Section } from '../../../ui/Page.tsx'
import { SCAN_REFRESH_MS, type Scan, ScanStateLabel } from '../../../ui/scan-states.tsx'
import { toast } from '../../../ui/toast.ts'
import classes from './workspace.module.css'

const SHOWN = 100

/** What goes to the client's systems right now, and the way to end all of it. Nothing where no scan runs. */
export const RunningScans = () => {
  const organization = useOrganization()
  const { engagement, isArchived } = useEngagement()
  const read = useQuery({
    ...query(organization.id, 'listScans', { query: { engagementId: engagement.id, state: ['queued', 'running'], perPage: SHOWN } }),
    refetchInterval: ({ state: { data } }) => (data && data.data.length > 0 ? SCAN_REFRESH_MS : false),
  })
  const scans = read.data?.data ?? []
  if (scans.length === 0) return null
  return (
    <Section title="Running scans" actions={!isArchived && <StopEverything scans={scans} />}>
      <ul className={classes.contacts}>
        {scans.map((scan) => (
          <li key={scan.id}>
            <TextLink to={paths.openScan(organization.slug, engagement.id, scan.id)}>{scan.name}</TextLink>
            <Text size="xs" c="dimmed" component="div">
              <ScanStateLabel of={scan} />
            </Text>
          </li>
        ))}
      </ul>
    </Section>
  )
}

const StopEverything = ({ scans }: { scans: readonly Scan[] }) => {
  const organization = useOrganization()
  const [isAsked, setAsked] = useState(false)
  const send = useSend(organization.id, 'cancelScan', [
    [organization.id, 'listScans'],
    [organization.id, 'getScan'],
  ])
  const stop = useMutation({
    // Beside each other: each second counts, and what cannot be stopped holds up nothing else.
    mutationFn: async () => {
      const ends = await Promise.allSettled(scans.map(({ id }) => send({ params: { scanId: id } })))
      const failed = ends.find((end) => end.status === 'rejected')
      if (failed) throw failed.reason
    },
    onSuccess: () => {
      setAsked(false)
      toast('Everything was stopped.')
    },
  })
  return (
    <>
      <Button color="red" onClick={() => setAsked(true)}>
        Stop everything
      </Button>
      <ConfirmDialog
        opened={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={() => stop.mutate()}
        title="Stop everything?"
        confirmLabel="Stop everything"
        loading={stop.isPending}
        error={stop.error ? messageOf(stop.error) : undefined}
      >
        Every scan of this engagement is cancelled, those of others included: two seconds later nothing of them leaves any more. What they have found stays.
      </ConfirmDialog>
    </>
  )
}
