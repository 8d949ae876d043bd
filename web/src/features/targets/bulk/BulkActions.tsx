import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { IconRadar2 } from '../../../ui/icons.tsx'
import { IconPencil, IconTrash } from '../../../ui/page-icons.tsx'
import { DeleteTargetsDialog } from './DeleteTargetsDialog.tsx'
import { EditTargetsDialog } from './EditTargetsDialog.tsx'
import { countOfTargets, type Selected } from './selected.ts'

interface BulkActionsProps {
  selection: Selected
  tags: readonly string[]
  onDone: () => void
}

/** Actions on the selected targets. */
export const BulkActions = ({ selection, tags, onDone }: BulkActionsProps) => {
  const { slug } = useOrganization()
  const { engagement } = useEngagement()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<'edit' | 'delete'>()
  const what = selection.ids ? countOfTargets(selection.ids.length) : 'all targets that match'
  const shared = {
    selection,
    onClose: () => setAsked(undefined),
  }
  const done = () => {
    setAsked(undefined)
    onDone()
  }
  const scan = () =>
    void navigate({
      to: '/o/$slug/engagements/$engagementId/scans/new',
      params: { slug, engagementId: engagement.id },
      state: { chosenTargets: selection },
    })
  return (
    <>
      <Button variant="default" size="compact-sm" leftSection={<IconRadar2 size={14} aria-hidden />} onClick={scan}>
        Scan
      </Button>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconPencil size={14} aria-hidden />}
        onClick={() => setAsked('edit')}
      >
        Edit
      </Button>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconTrash size={14} aria-hidden />}
        onClick={() => setAsked('delete')}
      >
        Delete
      </Button>
      {asked === 'edit' && <EditTargetsDialog {...shared} title={`Edit ${what}`} tags={tags} onDone={done} />}
      {asked === 'delete' && <DeleteTargetsDialog {...shared} title={`Delete ${what}?`} onDeleted={done} />}
    </>
  )
}
