import { TagsInput } from '@mantine/core'
import type { Input } from '@sortie/client/calls.ts'
import { messageOf, patchCached, useApiMutation } from '../../../api/api.ts'
import { SeverityLabel } from '../../../domain/SeverityLabel.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { useMembers } from '../../../shell/context/use-members.ts'
import { PeopleChoices } from '../../../shell/fields/PeopleChoices.tsx'
import { SeverityChoices } from '../../../shell/fields/rating/SeverityChoices.tsx'
import { useAssignToMe } from '../../../shell/fields/use-assign-to-me.ts'
import { DateField } from '../../../ui/dates/DateField.tsx'
import type { MenuShortcut } from '../../../ui/dialogs/DropdownMenu.tsx'
import { MenuField } from '../../../ui/fields/MenuField.tsx'
import { Person } from '../../../ui/people/Person.tsx'
import { toastError } from '../../../ui/toasts/toast.ts'
import type { Result } from '../labels.ts'
import classes from '../results.module.css'
import { ResultStatusLabel } from '../StatusLabels.tsx'
import { ASSIGNEE_SHORTCUT, SEVERITY_SHORTCUT, STATUS_SHORTCUT, StatusChoices } from './TriageMenus.tsx'
import { type BulkChange, CHANGED_READS, useSeverityKeys } from './use-triage.ts'

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
  const triage = ({ status, severity, assigneeId }: BulkChange) => {
    if (status && !isVulnerability) return toastError('Only vulnerabilities have a status.')
    return set({
      ...(status && { status }),
      ...(severity && { severity }),
      ...(assigneeId !== undefined && { assigneeId }),
    })
  }
  useSeverityKeys(triage, hasKeys)
  useAssignToMe({
    id: 'triage-mine',
    group: 'Triage',
    isOffered: hasKeys,
    onAssign: (assigneeId) => set({ assigneeId }),
  })
  const keyed = (shortcut: MenuShortcut) => hasKeys && { shortcut }
  const { assignee, status, severity } = result
  const people = members.data ?? []
  // A former member keeps what was assigned to them.
  const isGone = assignee !== null && !people.some(({ id }) => id === assignee.id)
  return (
    <div className={classes.fields}>
      {isVulnerability && (
        <MenuField
          label="Status"
          {...keyed(STATUS_SHORTCUT)}
          value={status && <ResultStatusLabel status={status} state="present" />}
        >
          <StatusChoices set={triage} />
        </MenuField>
      )}
      <MenuField
        label="Severity"
        {...keyed(SEVERITY_SHORTCUT)}
        value={severity && <SeverityLabel severity={severity} />}
      >
        <SeverityChoices onChoose={(chosen) => triage({ severity: chosen })} />
      </MenuField>
      <MenuField
        label="Assignee"
        placeholder="Unassigned"
        {...keyed(ASSIGNEE_SHORTCUT)}
        value={assignee && <Person name={assignee.name} />}
      >
        <PeopleChoices
          people={isGone ? [...people, assignee] : people}
          onChoose={(assigneeId) => set({ assigneeId })}
        />
      </MenuField>
      {result.status === 'accepted' && (
        <DateField
          savesEach
          label="Accepted until"
          value={result.acceptedUntil}
          onChange={(day) => set({ acceptedUntil: day || null })}
        />
      )}
      <TagsInput label="Tags" value={result.tags} onChange={(tags) => set({ tags })} maxTags={50} />
    </div>
  )
}
