import { SegmentedControl, Textarea } from '@mantine/core'
import type { Input } from '@sortie/client/calls.ts'
import { useState } from 'react'
import { messageOf, useApiMutation } from '../../../../api/api.ts'
import { staleFindingReads } from '../../../../domain/finding-words.tsx'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { Dialog } from '../../../../ui/dialogs/Dialog.tsx'
import { DialogForm } from '../../../../ui/dialogs/DialogForm.tsx'
import { toast } from '../../../../ui/toasts/toast.ts'
import type { Finding } from '../../labels.ts'
import { reportReturn } from '../../use-set-finding.ts'
import { PickResults, PickTargets } from './Picks.tsx'

interface AddAssetsDialogProps {
  finding: Finding
  onClose: () => void
}

/** Adds affected assets: as lines, or from targets or results of the engagement. */
export const AddAssetsDialog = (props: AddAssetsDialogProps) => (
  <Dialog opened onClose={props.onClose} title="Add affected assets" size="lg">
    <AddForm {...props} />
  </Dialog>
)

type Source = 'lines' | 'targets' | 'results'

const AddForm = ({ finding, onClose }: AddAssetsDialogProps) => {
  const organization = useOrganization()
  const [source, setSource] = useState<Source>('lines')
  const [lines, setLines] = useState('')
  const [targetIds, setTargetIds] = useState<readonly string[]>([])
  const [resultIds, setResultIds] = useState<readonly string[]>([])
  const add = useApiMutation(organization.id, 'addAffected', {
    invalidates: staleFindingReads(organization.id),
    onSuccess: ({ data: { created, known }, meta }) => {
      toast(
        `${created === 1 ? '1 asset' : `${created.toLocaleString('en')} assets`} added${known > 0 ? `, ${known.toLocaleString('en')} known` : ''}.`,
      )
      reportReturn(meta)
      onClose()
    },
  })
  const assets = lines
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  const bodies: Record<Source, NonNullable<Input<'addAffected'>['body']>> = {
    lines: { assets },
    targets: { targetIds: [...targetIds] },
    results: { resultIds: [...resultIds] },
  }
  const count = { lines: assets.length, targets: targetIds.length, results: resultIds.length }[source]
  return (
    <DialogForm
      submitLabel={count > 1 ? `Add ${count.toLocaleString('en')}` : 'Add'}
      onSubmit={() => add.mutate({ params: { findingId: finding.id }, body: bodies[source] })}
      onCancel={onClose}
      loading={add.isPending}
      disabled={count === 0}
      error={add.error ? messageOf(add.error) : undefined}
    >
      <SegmentedControl
        aria-label="Add from"
        value={source}
        onChange={setSource}
        data={[
          { value: 'lines', label: 'Lines' },
          { value: 'targets', label: 'Targets' },
          { value: 'results', label: 'Results' },
        ]}
      />
      {source === 'lines' && (
        <Textarea
          label="Assets"
          description="URLs, hosts or anything else that is affected, one per line."
          autosize
          minRows={5}
          maxRows={14}
          spellCheck={false}
          data-autofocus
          value={lines}
          onChange={({ currentTarget }) => setLines(currentTarget.value)}
        />
      )}
      {source === 'targets' && (
        <PickTargets engagementId={finding.engagementId} chosen={targetIds} onChange={setTargetIds} />
      )}
      {source === 'results' && (
        <PickResults engagementId={finding.engagementId} chosen={resultIds} onChange={setResultIds} />
      )}
    </DialogForm>
  )
}
