import { Suspense, useState } from 'react'
import { useShortcuts } from '../../../ui/commands/commands.ts'
import { KeyButton } from '../../../ui/dialogs/KeyButton.tsx'
import { IconFlag } from '../../../ui/icons.tsx'
import { lazyPart } from '../../../ui/load-part.ts'
import type { BulkSelection } from '../triage/use-triage.ts'

const FindingDialog = lazyPart(() => import('./FindingDialog.tsx'), 'FindingDialog')

interface FindingButtonProps {
  selection: BulkSelection
  /** Title of a single result. */
  title?: string
  /** The key N opens it; false while it applies to others. */
  hasKey?: boolean
  onDone?: () => void
}

/** Adds results to a finding. */
export const FindingButton = ({ selection, title, hasKey = true, onDone }: FindingButtonProps) => {
  const [isAsking, setAsking] = useState(false)
  const open = () => setAsking(true)
  useShortcuts(
    hasKey
      ? [{ id: 'add-to-finding', label: 'Add to a finding', group: 'Triage', icon: IconFlag, shortcut: 'n', run: open }]
      : [],
  )
  return (
    <>
      <KeyButton label="Add to finding" hint="N" onClick={open} />
      <Suspense>
        {isAsking && (
          <FindingDialog
            selection={selection}
            title={title}
            onClose={() => setAsking(false)}
            {...(onDone && { onDone })}
          />
        )}
      </Suspense>
    </>
  )
}
