import { Button } from '@mantine/core'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { IconArchive } from '../../../ui/page-icons.tsx'
import { useStatusChange } from './use-status-change.ts'
import classes from './workspace.module.css'

/** Shown on every page of an archived engagement: why it is read-only, and who can reopen it. */
export const ArchivedBanner = () => {
  const { engagement, mayChange } = useEngagement()
  const change = useStatusChange()
  return (
    <div className={classes.archived} role="status">
      <IconArchive size={16} aria-hidden />
      <span>
        This engagement is archived and read-only.
        {!mayChange && ' The owner and admins of the organization can reopen it.'}
      </span>
      {mayChange && (
        <Button
          variant="default"
          size="compact-xs"
          loading={change.isPending}
          onClick={() => change.to(engagement, 'active')}
        >
          Reopen
        </Button>
      )}
    </div>
  )
}
