import { SegmentedControl, Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { SEVERITIES } from '@sortie/contract/core/values.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf, query, useApiMutation } from '../../../api/api.ts'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { DialogForm } from '../../../ui/dialogs/DialogForm.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { keepPrevious } from '../../../ui/lists/keep-previous.ts'
import { toast } from '../../../ui/toasts/toast.ts'
import { type Run, usePlace } from '../place.tsx'

interface AttachDialogProps {
  run: Run
  engagementId: string
  onClose: () => void
}

type Kind = 'new' | HolderKind
type Severity = (typeof SEVERITIES)[number]

/** Attaches a run as evidence to a result, task or wiki page, or to a new vulnerability. */
export const AttachDialog = ({ run, engagementId, onClose }: AttachDialogProps) => {
  const { organizationId, resultAddress } = usePlace()
  const navigate = useNavigate()
  const [kind, setKind] = useState<Kind>('new')
  const [title, setTitle] = useState('')
  const [severity, setSeverity] = useState<Severity>('medium')
  const [chosen, setChosen] = useState<string | null>(null)
  const attach = useApiMutation(organizationId, 'attachRequestRun', {
    invalidates: (
      ['listResults', 'countResults', 'listResultFiles', 'listTaskFiles', 'listWikiPageFiles'] as const
    ).map((name) => [organizationId, name]),
    onSuccess: async ({ data }) => {
      onClose()
      toast(kind === 'new' ? 'Vulnerability added with request and response.' : 'Request and response attached.')
      if (data.resultId !== undefined) await navigate({ href: resultAddress(data.resultId) })
    },
  })
  const submit = () => {
    attach.mutate({
      params: { runId: run.id },
      body: kind === 'new' ? { newResult: { title, severity } } : { [`${kind}Id`]: chosen ?? '' },
    })
  }
  return (
    <Dialog opened onClose={onClose} title="Use as evidence">
      <DialogForm
        submitLabel={kind === 'new' ? 'Add vulnerability' : 'Attach'}
        onSubmit={submit}
        onCancel={onClose}
        loading={attach.isPending}
        disabled={kind === 'new' ? title.trim() === '' : chosen === null}
        error={attach.error ? messageOf(attach.error) : undefined}
      >
        <SegmentedControl
          aria-label="Evidence of"
          size="xs"
          value={kind}
          transitionDuration={0}
          onChange={(next) => {
            setKind(next)
            setChosen(null)
          }}
          data={[
            { value: 'new', label: 'A new vulnerability' },
            { value: 'result', label: 'A result' },
            { value: 'task', label: 'A task' },
            { value: 'page', label: 'A page' },
          ]}
        />
        {kind === 'new' ? (
          <>
            <TextInput
              label="Title"
              maxLength={500}
              data-autofocus
              value={title}
              onChange={(event) => setTitle(event.currentTarget.value)}
            />
            <Choice
              label="Severity"
              data={SEVERITIES.map((value) => ({ value, label: `${value[0]?.toUpperCase()}${value.slice(1)}` }))}
              value={severity}
              onChange={(chosen) => setSeverity(chosen)}
            />
          </>
        ) : (
          <HolderChoice key={kind} kind={kind} engagementId={engagementId} value={chosen} onChange={setChosen} />
        )}
      </DialogForm>
    </Dialog>
  )
}

/** Objects that a run can be attached to, and the API list that finds them by title. */
const HOLDERS = {
  result: { label: 'Result', list: 'listResults' },
  task: { label: 'Task', list: 'listTasks' },
  page: { label: 'Page', list: 'listWikiPages' },
} as const

type HolderKind = keyof typeof HOLDERS

interface HolderChoiceProps {
  kind: HolderKind
  engagementId: string
  value: string | null
  onChange: (id: string | null) => void
}

/** Selects a result, task or page of the engagement by title. */
const HolderChoice = ({ kind, engagementId, value, onChange }: HolderChoiceProps) => {
  const { organizationId } = usePlace()
  const [typed, setTyped] = useState('')
  const [wanted] = useDebouncedValue(typed.trim(), 200)
  const { label, list } = HOLDERS[kind]
  const found = useQuery({
    ...query(organizationId, list, { query: { engagementId, perPage: 20, ...(wanted !== '' && { q: wanted }) } }),
    placeholderData: keepPrevious([organizationId, list]),
  })
  return (
    <Select
      label={label}
      placeholder="Type a part of its title"
      searchable
      data={(found.data?.data ?? []).map(({ id, title }) => ({ value: id, label: title }))}
      filter={({ options }) => options}
      value={value}
      onChange={onChange}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage="Nothing matches."
      comboboxProps={{ transitionProps: { duration: 0 } }}
    />
  )
}
