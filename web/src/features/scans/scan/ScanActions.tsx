import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { isUnderWay, type Scan } from '../../../domain/scan-states.tsx'
import { paths } from '../../../paths.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { ButtonLink } from '../../../shell/routing/links.tsx'
import { useShortcuts } from '../../../ui/commands/commands.ts'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { toast, toastError } from '../../../ui/toasts/toast.ts'
import { staleAfterScans } from '../stale.ts'
import { differenceAddress } from './difference.ts'

/** Actions on a scan: stop it while it runs, or run it again. */
export const ScanActions = ({ scan }: { scan: Scan }) => {
  const { id: organizationId, slug } = useOrganization()
  const { isArchived } = useEngagement()
  const navigate = useNavigate()
  const [isAsked, setAsked] = useState(false)
  const params = { scanId: scan.id }
  const invalidates = staleAfterScans(organizationId)
  const cancel = useApiMutation(organizationId, 'cancelScan', {
    invalidates,
    onSuccess: () => {
      setAsked(false)
      toast('Scan cancelled. It sends nothing more.')
    },
  })
  const repeat = useApiMutation(organizationId, 'repeatScan', {
    invalidates,
    onSuccess: ({ data }) => {
      return navigate({ to: paths.openScan(slug, data.engagementId, data.id) })
    },
    onError: (error) => toastError(messageOf(error)),
  })
  const isCancellable = !isArchived && isUnderWay(scan)
  useShortcuts(
    isCancellable
      ? [{ id: 'cancel', label: 'Cancel the scan', group: 'This page', keywords: 'stop', run: () => setAsked(true) }]
      : [],
  )
  return (
    <>
      {isCancellable && (
        <Button color="red" onClick={() => setAsked(true)}>
          Cancel the scan
        </Button>
      )}
      {!isArchived && !isUnderWay(scan) && (
        <Button variant="default" loading={repeat.isPending} onClick={() => repeat.mutate({ params })}>
          Repeat
        </Button>
      )}
      <ButtonLink variant="default" to={`${paths.results(slug, scan.engagementId)}?scanId=${scan.id}`}>
        Show results
      </ButtonLink>
      {scan.startedAt !== null && (
        <ButtonLink variant="default" to={differenceAddress(slug, scan)}>
          Show changes
        </ButtonLink>
      )}
      <ConfirmDialog
        opened={isAsked}
        onClose={() => {
          setAsked(false)
          cancel.reset()
        }}
        onConfirm={() => cancel.mutate({ params })}
        title="Cancel this scan?"
        confirmLabel="Cancel the scan"
        loading={cancel.isPending}
        error={cancel.error ? messageOf(cancel.error) : undefined}
      >
        After two seconds it sends nothing. Its results are kept; it can't be resumed, only repeated.
      </ConfirmDialog>
    </>
  )
}
