import { Checkbox, Group, MultiSelect, Radio, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, messageOf, query, useApiMutation } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { DialogForm } from '../../../ui/dialogs/DialogForm.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { toastWithUndo } from '../../../ui/toasts/toast-with-undo.tsx'
import { toast, toastError } from '../../../ui/toasts/toast.ts'
import { staleReads } from '../labels.tsx'
import classes from './coverage.module.css'

type Which = 'in' | 'all' | 'some'

interface CreateChecksProps {
  engagementId: string
  methodologyId: string
  onClose: () => void
}

/** Creates the tasks of a methodology: shows how many first, for the chosen targets and groups. Can be undone. */
export const CreateChecks = (props: CreateChecksProps) => {
  const organization = useOrganization()
  const methodology = useQuery(
    query(organization.id, 'getMethodology', { params: { methodologyId: props.methodologyId } }),
  )
  return (
    <Dialog opened onClose={props.onClose} title="Create tasks" size="lg">
      <QueryView query={methodology} skeleton={<ListSkeleton rows={6} />}>
        {({ data }) => <ChecksForm {...props} items={data.items} />}
      </QueryView>
    </Dialog>
  )
}

/** Ids in one request. */
const AT_ONCE = 1_000

const ChecksForm = ({
  engagementId,
  methodologyId,
  onClose,
  items,
}: CreateChecksProps & { items: readonly { key: string; group: string }[] }) => {
  const organization = useOrganization()
  const [which, setWhich] = useState<Which>('in')
  const [targetIds, setTargetIds] = useState<string[]>([])
  const groups = Map.groupBy(items, ({ group }) => group)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const itemKeys = items.filter(({ group }) => !left.has(group)).map(({ key }) => key)
  const targets = which === 'some' ? { ids: targetIds } : { filter: which === 'in' ? { verdict: ['in' as const] } : {} }
  const isComplete = itemKeys.length > 0 && (which !== 'some' || targetIds.length > 0)
  const body = { engagementId, targets, ...(left.size > 0 && { itemKeys }) }
  const params = { methodologyId }
  const count = useQuery({
    queryKey: [organization.id, 'expandMethodology', { params, body }],
    queryFn: () => call(organization.id, 'expandMethodology', { params, body: { ...body, dryRun: true } }),
    enabled: isComplete,
    placeholderData: keepPreviousData,
  })
  const remove = useApiMutation(organization.id, 'bulkDeleteTasks', {
    invalidates: staleReads(organization.id),
    onError: (error) => toastError(messageOf(error)),
  })
  const undo = async (ids: readonly string[]) => {
    let deleted = 0
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      const { data } = await remove.mutateAsync({ body: { ids: ids.slice(from, from + AT_ONCE), ifUnchanged: true } })
      deleted += data.deleted
    }
    const kept = ids.length - deleted
    if (kept > 0)
      toast(kept === 1 ? '1 task has changed since and stays.' : `${kept} tasks have changed since and stay.`)
  }
  const create = useApiMutation(organization.id, 'expandMethodology', {
    invalidates: staleReads(organization.id),
    onSuccess: ({ data: { created, ids = [] } }) => {
      onClose()
      if (created === 0) toast('All tasks already exist.')
      else toastWithUndo(countOf(created, 'created.'), () => void undo(ids).catch(() => undefined))
    },
  })
  const created = isComplete ? count.data?.data.created : 0
  const toggle = (group: string) =>
    setLeft((before) => {
      const after = new Set(before)
      if (!after.delete(group)) after.add(group)
      return after
    })
  const error = create.error ?? count.error
  return (
    <DialogForm
      submitLabel={created === undefined ? 'Create tasks' : `Create ${countOf(created, '')}`}
      onSubmit={() => isComplete && create.mutate({ params, body: { ...body, withUndo: true } })}
      onCancel={onClose}
      error={error ? messageOf(error) : undefined}
      loading={create.isPending}
      disabled={!isComplete || created === 0}
    >
      <Radio.Group label="Targets" value={which} onChange={setWhich}>
        <Group gap="md" mt={4}>
          <Radio size="xs" value="in" label="In scope" data-autofocus />
          <Radio size="xs" value="all" label="All" />
          <Radio size="xs" value="some" label="Choose targets" />
        </Group>
      </Radio.Group>
      {which === 'some' && <ChosenTargets engagementId={engagementId} value={targetIds} onChange={setTargetIds} />}
      {groups.size > 1 && (
        <fieldset className={classes.fieldset}>
          <Text component="legend" size="sm" fw={500}>
            Groups
          </Text>
          <Checkbox
            size="xs"
            label="All"
            checked={left.size === 0}
            indeterminate={left.size > 0 && left.size < groups.size}
            onChange={() => setLeft(left.size === 0 ? new Set(groups.keys()) : new Set())}
          />
          <div className={classes.groups}>
            {[...groups].map(([group, own]) => (
              <Checkbox
                key={group}
                size="xs"
                label={`${group || 'Other'} (${own.length})`}
                checked={!left.has(group)}
                onChange={() => toggle(group)}
              />
            ))}
          </div>
        </fieldset>
      )}
      <Text size="sm" role="status">
        {describe(isComplete, itemKeys.length, count.data?.data)}
      </Text>
    </DialogForm>
  )
}

const countOf = (count: number, done: string): string => `${count} ${count === 1 ? 'task' : 'tasks'} ${done}`.trim()

const describe = (
  isComplete: boolean,
  items: number,
  counts: { created: number; existing: number } | undefined,
): string => {
  if (items === 0) return 'Choose at least one group.'
  if (!isComplete) return 'Choose at least one target.'
  if (!counts) return 'Counting…'
  const existing =
    counts.existing > 0 ? ` ${countOf(counts.existing, '')} already ${counts.existing === 1 ? 'exists' : 'exist'}.` : ''
  if (counts.created === 0)
    return counts.existing > 0
      ? 'All of these tasks already exist.'
      : 'No check of these groups applies to these targets.'
  return `${countOf(counts.created, 'will be created')}, one for each check and each target that it applies to.${existing}`
}

interface ChosenTargetsProps {
  engagementId: string
  value: string[]
  onChange: (ids: string[]) => void
}

/** Targets by name; the server searches. */
const ChosenTargets = ({ engagementId, value, onChange }: ChosenTargetsProps) => {
  const organization = useOrganization()
  const [search, setSearch] = useState('')
  const [q] = useDebouncedValue(search.trim(), 150)
  const [known, setKnown] = useState<ReadonlyMap<string, string>>(new Map())
  const found = useQuery({
    ...query(organization.id, 'listTargets', { query: { engagementId, perPage: 50, ...(q && { q }) } }),
    placeholderData: keepPreviousData,
  })
  const names = new Map([
    ...known,
    ...(found.data?.data ?? []).map(({ id, value: name }): [string, string] => [id, name]),
  ])
  return (
    <MultiSelect
      aria-label="Targets to test"
      placeholder={value.length === 0 ? 'Search targets' : ''}
      searchable
      data={[...names].map(([id, label]) => ({ value: id, label }))}
      searchValue={search}
      onSearchChange={setSearch}
      value={value}
      onChange={(ids) => {
        setKnown(new Map(ids.map((id) => [id, names.get(id) ?? id])))
        onChange(ids)
      }}
      maxDropdownHeight={220}
      nothingFoundMessage="No target matches"
    />
  )
}
