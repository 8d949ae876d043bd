import {
  FINDING_STATE_LABELS,
  type FindingState,
  FindingStateLabel,
  REMEDIATION_LABELS,
  RemediationLabel,
  type RemediationStatus,
} from '../../../domain/finding-words.tsx'
import { PeopleChoices } from '../../../shell/fields/PeopleChoices.tsx'
import { SeverityChoices } from '../../../shell/fields/rating/SeverityChoices.tsx'
import { useAssignToMe } from '../../../shell/fields/use-assign-to-me.ts'
import { ChoiceItem, type MenuShortcut } from '../../../ui/dialogs/DropdownMenu.tsx'
import { RowMenu } from '../../../ui/grid/cells/RowMenu.tsx'
import { IconFlag, IconUser } from '../../../ui/icons.tsx'
import { IconCheckbox, IconTag } from '../../../ui/page-icons.tsx'
import type { FindingChange } from '../use-finding-change.ts'

interface ChoicesProps {
  set: (change: FindingChange) => void
}

const shortcut = (field: string, key: string, icon: NonNullable<MenuShortcut['icon']>): MenuShortcut => ({
  id: `finding-${field.replace(' ', '-')}`,
  label: `Set ${field}`,
  group: 'Findings',
  icon,
  key,
})

/** S, V and A as in results and tasks. */
export const STATUS_SHORTCUT = shortcut('status', 's', IconFlag)
export const SEVERITY_SHORTCUT = shortcut('severity', 'v', IconTag)
export const AUTHOR_SHORTCUT = shortcut('author', 'a', IconUser)
export const REVIEW_SHORTCUT = shortcut('review state', 'r', IconCheckbox)

const STATUS_KEYS: Record<RemediationStatus, string> = {
  open: 'O',
  partly_fixed: 'P',
  fixed: 'D',
  not_reproducible: 'N',
  withdrawn: 'W',
}
const STATE_KEYS: Record<FindingState, string> = { draft: 'D', in_review: 'R', approved: 'A' }

export const StatusChoices = ({ set }: ChoicesProps) =>
  (Object.keys(REMEDIATION_LABELS) as RemediationStatus[]).map((status) => (
    <ChoiceItem key={status} hint={STATUS_KEYS[status]} onClick={() => set({ status })}>
      <RemediationLabel status={status} />
    </ChoiceItem>
  ))

export const StateChoices = ({ set }: ChoicesProps) =>
  (Object.keys(FINDING_STATE_LABELS) as FindingState[]).map((state) => (
    <ChoiceItem key={state} hint={STATE_KEYS[state]} onClick={() => set({ state })}>
      <FindingStateLabel state={state} />
    </ChoiceItem>
  ))

export const AuthorChoices = ({ set }: ChoicesProps) => <PeopleChoices onChoose={(authorId) => set({ authorId })} />

/**
 * Menus of one row: S its status, V its severity, A its author, R its state in the review; I makes the user its author.
 */
export const FindingMenus = ({ set }: ChoicesProps) => {
  useAssignToMe({
    id: 'finding-mine',
    label: 'Set me as the author',
    group: 'Findings',
    onAssign: (authorId) => set({ authorId }),
  })
  return (
    <>
      <RowMenu shortcut={STATUS_SHORTCUT}>
        <StatusChoices set={set} />
      </RowMenu>
      <RowMenu shortcut={SEVERITY_SHORTCUT}>
        <SeverityChoices onChoose={(severity) => set({ severity })} />
      </RowMenu>
      <RowMenu shortcut={AUTHOR_SHORTCUT}>
        <AuthorChoices set={set} />
      </RowMenu>
      <RowMenu shortcut={REVIEW_SHORTCUT}>
        <StateChoices set={set} />
      </RowMenu>
    </>
  )
}
