import { SegmentedControl, Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf, query, useApiMutation } from '../../../api/api.ts'
import { staleFindingReads } from '../../../domain/finding-words.tsx'
import { paths } from '../../../paths.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { DialogForm } from '../../../ui/dialogs/DialogForm.tsx'
import { toast } from '../../../ui/toasts/toast.ts'
import { CHANGED_READS } from '../triage/use-triage.ts'
import type { BulkSelection } from '../triage/use-triage.ts'

interface FindingDialogProps {
  selection: BulkSelection
  /** Title of the result, for a single one. */
  title?: string | undefined
  onClose: () => void
  /** Called after the results are part of a finding. */
  onDone?: () => void
}

/** Makes results part of a finding: of one that exists, or of a new one. */
export const FindingDialog = (props: FindingDialogProps) => (
  <Dialog opened onClose={props.onClose} title="Add to a finding">
    <FindingForm {...props} />
  </Dialog>
)

/** More are found by words. */
const OFFERED = 50
const TYPING_MS = 200

const FindingForm = ({ selection, title: resultTitle = '', onClose, onDone }: FindingDialogProps) => {
  const organization = useOrganization()
  const { engagement } = useEngagement()
  const router = useRouter()
  const cache = useQueryClient()
  const [kind, setKind] = useState<'new' | 'known'>('new')
  const [title, setTitle] = useState(resultTitle)
  const [findingId, setFindingId] = useState<string | null>(null)
  const [words, setWords] = useState('')
  const [q] = useDebouncedValue(words.trim(), TYPING_MS)
  const offered = useQuery({
    ...query(organization.id, 'listFindings', {
      query: {
        engagementId: engagement.id,
        perPage: OFFERED,
        sort: 'number',
        order: 'desc',
        ...(q && findingId === null && { q }),
      },
    }),
    placeholderData: keepPreviousData,
  })
  const findings = offered.data?.data ?? []
  const results = selection.ids
    ? { resultIds: selection.ids }
    : { resultFilter: selection.filter ?? { engagementId: engagement.id } }
  const invalidates = [
    ...staleFindingReads(organization.id),
    ...CHANGED_READS.map((name) => [organization.id, name] as const),
  ]
  const create = useApiMutation(organization.id, 'createFinding', {
    invalidates,
    onSuccess: async ({ data }) => {
      onClose()
      onDone?.()
      await router.navigate({ href: paths.finding(organization.slug, engagement.id, data.id) })
    },
  })
  const add = useApiMutation(organization.id, 'addAffected', {
    invalidates,
    onSuccess: ({ data: { created, known }, meta: { returnedToReview } }) => {
      const number = findings.find(({ id }) => id === findingId)?.number
      toast(
        `${created === 1 ? '1 asset' : `${created.toLocaleString('en')} assets`} added to finding ${number}${known > 0 ? `, ${known} known` : ''}.${returnedToReview ? ' It was approved, and is in review again.' : ''}`,
      )
      onClose()
      onDone?.()
      void cache.invalidateQueries({ queryKey: [organization.id, 'listFindings'] })
    },
  })
  const error = kind === 'new' ? create.error : add.error
  const submit = () =>
    kind === 'new'
      ? create.mutate({
          body: { engagementId: engagement.id, ...(title.trim() && { title: title.trim() }), ...results },
        })
      : add.mutate({ params: { findingId: findingId ?? '' }, body: results })
  return (
    <DialogForm
      submitLabel={kind === 'new' ? 'Create finding' : 'Add to finding'}
      onSubmit={submit}
      onCancel={onClose}
      loading={create.isPending || add.isPending}
      disabled={kind === 'known' && findingId === null}
      error={error ? messageOf(error) : undefined}
    >
      <SegmentedControl
        aria-label="Finding"
        value={kind}
        onChange={setKind}
        data={[
          { value: 'new', label: 'New finding' },
          { value: 'known', label: 'Existing finding' },
        ]}
      />
      {kind === 'new' ? (
        <TextInput
          label="Title"
          description="Without a title, it gets that of the results. Its severity is the highest of theirs, and each result becomes an affected asset."
          maxLength={300}
          data-autofocus
          value={title}
          onChange={({ currentTarget }) => setTitle(currentTarget.value)}
        />
      ) : (
        <Select
          label="Finding"
          placeholder="Number or title"
          data={findings.map(({ id, number, title: name }) => ({ value: id, label: `${number} ${name}` }))}
          value={findingId}
          searchable
          clearable
          nothingFoundMessage="No finding with these words."
          onSearchChange={(typed) => setWords(typed.replace(/^\d+ /, ''))}
          onChange={setFindingId}
        />
      )}
    </DialogForm>
  )
}
