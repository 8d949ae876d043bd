import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, messageOf } from '../../../../api/api.ts'
import { readAll } from '../../../../api/read-all.ts'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { ConfirmDialog } from '../../../../ui/dialogs/ConfirmDialog.tsx'
import { toast } from '../../../../ui/toasts/toast.ts'

/** Stops, after confirmation, everything that sends to the client's systems or is scheduled to. */
export const StopEverything = ({ engagementId }: { engagementId: string }) => {
  const { id: organizationId } = useOrganization()
  const cache = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const stop = useMutation({
    mutationFn: () => stopEverything(organizationId, engagementId),
    onSuccess: () => {
      setAsked(false)
      toast('Everything stopped.')
    },
    onSettled: () => Promise.all(STALE.map((name) => cache.invalidateQueries({ queryKey: [organizationId, name] }))),
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
        Cancels every scan and request sequence of this engagement, including those of others, and turns off its
        schedules. After two seconds they send nothing. Results are kept.
      </ConfirmDialog>
    </>
  )
}

const STALE = [
  'listScans',
  'getScan',
  'listRequestSequences',
  'getRequestSequence',
  'listScanSchedules',
  'getScanSchedule',
] as const

const stopEverything = async (organizationId: string, engagementId: string): Promise<void> => {
  const once = { retries: 0 }
  const stopScans = async () => {
    const scans = await readAll((window) =>
      call(organizationId, 'listScans', { query: { engagementId, state: ['queued', 'running'], ...window } }),
    )
    await allOf(scans.map(({ id }) => call(organizationId, 'cancelScan', { params: { scanId: id } }, once)))
  }
  const stopSequences = async () => {
    const sequences = await readAll((window) =>
      call(organizationId, 'listRequestSequences', { query: { engagementId, state: ['running'], ...window } }),
    )
    await allOf(
      sequences.map(({ id }) => call(organizationId, 'cancelRequestSequence', { params: { sequenceId: id } }, once)),
    )
  }
  const stopSchedules = async () => {
    const schedules = await readAll((window) =>
      call(organizationId, 'listScanSchedules', { query: { engagementId, enabled: true, ...window } }),
    )
    await allOf(
      schedules.map(({ id }) =>
        call(organizationId, 'updateScanSchedule', { params: { scheduleId: id }, body: { enabled: false } }, once),
      ),
    )
  }
  // In parallel: each second counts.
  await allOf([stopScans(), stopSequences(), stopSchedules()])
}

/** A failed stop does not delay the others. @throws the first failure, once all have finished */
const allOf = async (works: readonly Promise<unknown>[]): Promise<void> => {
  const failed = (await Promise.allSettled(works)).find((end) => end.status === 'rejected')
  if (failed) throw failed.reason
}
