import { NativeSelect, TagsInput, TextInput } from '@mantine/core'
import type { Input } from '@sortie/client/calls.ts'
import { messageOf, patchCached, useApiMutation } from '../../../api/api.ts'
import { SEVERITY_LABELS, STATUS_LABELS } from '../../../domain/vulnerability-words.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { useMembers } from '../../../shell/context/use-members.ts'
import { toastError } from '../../../ui/feedback/toast.ts'
import { optionsOf } from '../../../ui/values/options-of.ts'
import { type Result, type Severity, type Status } from '../labels.ts'
import classes from '../results.module.css'
import { CHANGED_READS, useTriageKeys } from './use-triage.ts'

type TriageInput = NonNullable<Input<'updateResult'>['body']>

/** Status, severity, assignee and tags of one result. Each is saved on selection or by a triage key. */
export const TriageFields = ({ result, hasKeys }: { result: Result; hasKeys: boolean }) => {
  const organization = useOrganization()
  const members = useMembers()
  const isVulnerability = result.kind === 'vulnerability'
  const change = useApiMutation(organization.id, 'updateResult', {
    invalidates: CHANGED_READS.map((name) => [organization.id, name] as const),
    optimistic: (cache, { params, body = {} }) => {
      const { assigneeId: _, data: __, ifUpdatedAt: ___, ...shown } = body
      return patchCached(cache, organization.id, 'getResult', (output) =>
        output.data.id === params.resultId ? { data: { ...output.data, ...shown } } : output,
      )
    },
    onError: (error) => toastError(messageOf(error)),
  })
  const set = (body: TriageInput) => change.mutate({ params: { resultId: result.id }, body })
  useTriageKeys(({ status, severity }) => {
    if (status && !isVulnerability) return toastError('Only vulnerabilities have a status.')
    return set({ ...(status && { status }), ...(severity && { severity }) })
  }, hasKeys)
  const people = members.data?.map(({ id, name }) => ({ value: id, label: name })) ?? []
  const isGoneMember = result.assignee !== null && !people.some(({ value }) => value === result.assignee?.id)
  return (
    <div className={classes.fields}>
      {isVulnerability && (
        <NativeSelect
          label="Status"
          value={result.status ?? ''}
          data={optionsOf(STATUS_LABELS)}
          onChange={(event) => set({ status: event.currentTarget.value as Status })}
        />
      )}
      <NativeSelect
        label="Severity"
        value={result.severity ?? ''}
        data={[
          ...(result.severity === null ? [{ value: '', label: 'None', disabled: true }] : []),
          ...optionsOf(SEVERITY_LABELS),
        ]}
        onChange={(event) => set({ severity: event.currentTarget.value as Severity })}
      />
      <NativeSelect
        label="Assignee"
        value={result.assignee?.id ?? ''}
        data={[
          { value: '', label: 'Unassigned' },
          ...(isGoneMember && result.assignee ? [{ value: result.assignee.id, label: result.assignee.name }] : []),
          ...people,
        ]}
        onChange={(event) => set({ assigneeId: event.currentTarget.value || null })}
      />
      {result.status === 'accepted' && (
        <TextInput
          type="date"
          label="Accepted until"
          // Typed digit by digit: saved on blur once the day is complete.
          key={result.acceptedUntil}
          defaultValue={result.acceptedUntil ?? ''}
          onBlur={(event) => {
            const day = event.currentTarget.value || null
            if (day !== result.acceptedUntil) set({ acceptedUntil: day })
          }}
        />
      )}
      <TagsInput label="Tags" value={result.tags} onChange={(tags) => set({ tags })} maxTags={50} />
    </div>
  )
}
