import { STATUS_LABELS } from '../../../domain/vulnerability-words.ts'
import { PeopleChoices } from '../../../shell/fields/PeopleChoices.tsx'
import { SeverityChoices } from '../../../shell/fields/rating/SeverityChoices.tsx'
import { useAssignToMe } from '../../../shell/fields/use-assign-to-me.ts'
import { ChoiceItem, type MenuShortcut } from '../../../ui/dialogs/DropdownMenu.tsx'
import { RowMenu } from '../../../ui/grid/cells/RowMenu.tsx'
import { IconFlag, IconUser } from '../../../ui/icons.tsx'
import { IconTag } from '../../../ui/page-icons.tsx'
import type { Status } from '../labels.ts'
import { ResultStatusLabel } from '../StatusLabels.tsx'
import { type BulkChange, STATUS_KEYS, useSeverityKeys } from './use-triage.ts'

const shortcut = (field: string, key: string, icon: NonNullable<MenuShortcut['icon']>): MenuShortcut => ({
  id: `triage-${field.toLowerCase()}`,
  label: `Set ${field.toLowerCase()}`,
  group: 'Triage',
  icon,
  key,
})

/** The keys that open the menus: for the selection, or else for the previewed or the active row. */
export const STATUS_SHORTCUT = shortcut('Status', 's', IconFlag)
export const SEVERITY_SHORTCUT = shortcut('Severity', 'v', IconTag)
export const ASSIGNEE_SHORTCUT = shortcut('Assignee', 'a', IconUser)

interface ChoicesProps {
  set: (change: BulkChange) => void
}

export const StatusChoices = ({ set }: ChoicesProps) =>
  (Object.keys(STATUS_LABELS) as Status[]).map((status) => (
    <ChoiceItem key={status} hint={STATUS_KEYS[status]} onClick={() => set({ status })}>
      <ResultStatusLabel status={status} state="present" />
    </ChoiceItem>
  ))

export const AssigneeChoices = ({ set }: ChoicesProps) => (
  <PeopleChoices onChoose={(assigneeId) => set({ assigneeId })} />
)

/**
 * Menus of one row: S its status, V its severity, A its assignee, I assigns it to the user; 1 to 5 set the severity at
 * once.
 */
export const TriageMenus = ({ set }: ChoicesProps) => {
  useSeverityKeys(set, true)
  useAssignToMe({ id: 'triage-mine', group: 'Triage', onAssign: (assigneeId) => set({ assigneeId }) })
  return (
    <>
      <RowMenu shortcut={STATUS_SHORTCUT}>
        <StatusChoices set={set} />
      </RowMenu>
      <RowMenu shortcut={SEVERITY_SHORTCUT}>
        <SeverityChoices onChoose={(severity) => set({ severity })} />
      </RowMenu>
      <RowMenu shortcut={ASSIGNEE_SHORTCUT}>
        <AssigneeChoices set={set} />
      </RowMenu>
    </>
  )
}
