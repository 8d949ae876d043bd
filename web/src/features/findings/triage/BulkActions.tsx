import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import { SeverityChoices } from '../../../shell/fields/rating/SeverityChoices.tsx'
import { useAssignToMe } from '../../../shell/fields/use-assign-to-me.ts'
import { DropdownMenu } from '../../../ui/dialogs/DropdownMenu.tsx'
import { KeyButton } from '../../../ui/dialogs/KeyButton.tsx'
import { lazyPart } from '../../../ui/load-part.ts'
import type { RetestedFindings } from '../retests/PlanRetestDialog.tsx'
import { countOfFindings, type FindingSelection, useFindingChange } from '../use-finding-change.ts'
import { BulkEditDialog } from './BulkEditDialog.tsx'
import {
  AUTHOR_SHORTCUT,
  AuthorChoices,
  REVIEW_SHORTCUT,
  SEVERITY_SHORTCUT,
  StateChoices,
  STATUS_SHORTCUT,
  StatusChoices,
} from './FindingMenus.tsx'

const PlanRetestDialog = lazyPart(() => import('../retests/PlanRetestDialog.tsx'), 'PlanRetestDialog')

interface BulkActionsProps {
  selection: FindingSelection
  /** Null above what the server counts. */
  count: number | null | undefined
  engagementId: string
}

/** Actions on the selected findings. */
export const BulkActions = ({ selection, count, engagementId }: BulkActionsProps) => {
  const change = useFindingChange(selection)
  const [isEditing, setEditing] = useState(false)
  const [isPlanning, setPlanning] = useState(false)
  useAssignToMe({
    id: 'finding-mine',
    label: 'Set me as the author',
    group: 'Findings',
    onAssign: (authorId) => change.set({ authorId }),
  })
  return (
    <>
      <DropdownMenu
        position="top-start"
        shortcut={STATUS_SHORTCUT}
        target={<KeyButton label="Status" hint="S" loading={change.isPending} />}
      >
        <StatusChoices set={change.set} />
      </DropdownMenu>
      <DropdownMenu position="top-start" shortcut={SEVERITY_SHORTCUT} target={<KeyButton label="Severity" hint="V" />}>
        <SeverityChoices onChoose={(severity) => change.set({ severity })} />
      </DropdownMenu>
      <DropdownMenu position="top-start" shortcut={AUTHOR_SHORTCUT} target={<KeyButton label="Author" hint="A" />}>
        <AuthorChoices set={change.set} />
      </DropdownMenu>
      <DropdownMenu position="top-start" shortcut={REVIEW_SHORTCUT} target={<KeyButton label="Review" hint="R" />}>
        <StateChoices set={change.set} />
      </DropdownMenu>
      <Button size="compact-sm" variant="default" onClick={() => setEditing(true)}>
        Assign and tag
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => setPlanning(true)}>
        Plan a retest
      </Button>
      <Suspense>
        {isPlanning && (
          <PlanRetestDialog
            engagementId={engagementId}
            findings={retestedOf(selection)}
            counted={count ? countOfFindings(count) : 'these findings'}
            onClose={() => setPlanning(false)}
          />
        )}
      </Suspense>
      {isEditing && (
        <BulkEditDialog selection={selection} engagementId={engagementId} onClose={() => setEditing(false)} />
      )}
    </>
  )
}

const retestedOf = ({ ids, filter }: FindingSelection): RetestedFindings => ({
  ...(ids && { findingIds: ids }),
  ...(filter && { filter }),
})
