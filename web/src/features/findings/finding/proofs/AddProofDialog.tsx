import { Radio, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { query } from '../../../../api/api.ts'
import { ScanStateLabel } from '../../../../domain/scan-states.tsx'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { Dialog } from '../../../../ui/dialogs/Dialog.tsx'
import { DialogForm } from '../../../../ui/dialogs/DialogForm.tsx'
import { TimeAgo } from '../../../../ui/values/TimeAgo.tsx'
import classes from '../../findings.module.css'
import type { Finding } from '../../labels.ts'

type Proof = Finding['proofs'][number]

interface AddProofDialogProps {
  engagementId: string
  /** Ids that are proofs already. */
  known: readonly string[]
  onAdd: (proof: Proof) => void
  onClose: () => void
}

/** Chooses a saved request, a recorded run or a scan of the engagement. */
export const AddProofDialog = (props: AddProofDialogProps) => (
  <Dialog opened onClose={props.onClose} title="Add a proof" size="lg">
    <AddForm {...props} />
  </Dialog>
)

/** The newest ones; requests are also found by words. */
const OFFERED = 50
const TYPING_MS = 200

const AddForm = ({ engagementId, known, onAdd, onClose }: AddProofDialogProps) => {
  const [type, setType] = useState<Proof['type']>('request')
  const [id, setId] = useState('')
  const List = { request: Requests, run: Runs, scan: Scans }[type]
  return (
    <DialogForm submitLabel="Add proof" onSubmit={() => onAdd({ type, id })} onCancel={onClose} disabled={id === ''}>
      <SegmentedControl
        aria-label="Kind of proof"
        value={type}
        transitionDuration={0}
        onChange={(value) => {
          setType(value)
          setId('')
        }}
        data={[
          { value: 'request', label: 'Saved request' },
          { value: 'run', label: 'Recorded run' },
          { value: 'scan', label: 'Scan' },
        ]}
      />
      <List engagementId={engagementId} known={known} chosen={id} onChoose={setId} />
    </DialogForm>
  )
}

interface ListProps {
  engagementId: string
  known: readonly string[]
  chosen: string
  onChoose: (id: string) => void
}

const Requests = ({ engagementId, ...list }: ListProps) => {
  const { id } = useOrganization()
  const [words, setWords] = useState('')
  const [q] = useDebouncedValue(words.trim(), TYPING_MS)
  const { data } = useQuery({
    ...query(id, 'listApiRequests', {
      query: { engagementId, perPage: OFFERED, sort: 'updatedAt', order: 'desc', ...(q && { q }) },
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <TextInput
        label="Search requests"
        value={words}
        onChange={({ currentTarget }) => setWords(currentTarget.value)}
        data-autofocus
      />
      <Options
        options={data?.data.map((request) => ({
          id: request.id,
          label: request.name,
          detail: `${request.method} ${request.url}`,
        }))}
        {...list}
      />
    </>
  )
}

const Runs = ({ engagementId, ...list }: ListProps) => {
  const { id } = useOrganization()
  const { data } = useQuery(
    query(id, 'listRequestRuns', { query: { engagementId, perPage: OFFERED, state: ['succeeded'] } }),
  )
  // Only the run of a saved request can be sent again.
  const runs = data?.data.filter(({ requestId }) => requestId !== null)
  return (
    <Options
      options={runs?.map((run) => ({
        id: run.id,
        label: <TimeAgo iso={run.startedAt} />,
        detail: `${run.method} ${run.url} ${run.status ?? ''}`,
      }))}
      {...list}
    />
  )
}

const Scans = ({ engagementId, ...list }: ListProps) => {
  const { id } = useOrganization()
  const { data } = useQuery(query(id, 'listScans', { query: { engagementId, perPage: OFFERED } }))
  return (
    <Options
      options={data?.data.map((scan) => ({
        id: scan.id,
        label: (
          <>
            {scan.name} <ScanStateLabel of={scan} />
          </>
        ),
      }))}
      {...list}
    />
  )
}

interface Option {
  id: string
  label: ReactNode
  detail?: string
}

const Options = ({
  options,
  known,
  chosen,
  onChoose,
}: Omit<ListProps, 'engagementId'> & { options: readonly Option[] | undefined }) => {
  const offered = options?.filter(({ id }) => !known.includes(id))
  if (offered?.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        None found in this engagement.
      </Text>
    )
  }
  return (
    <Radio.Group aria-label="Proof" value={chosen} onChange={onChoose}>
      <Stack gap={0} className={classes.picks}>
        {offered?.map(({ id, label, detail }) => (
          <Radio
            key={id}
            value={id}
            className={classes.pick}
            label={
              <>
                {label} <span className="mono">{detail}</span>
              </>
            }
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}
