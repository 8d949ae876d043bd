import { useEngagement } from '../../../shell/context/engagement.tsx'
import { IconLock } from '../../../ui/icons.tsx'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import classes from '../workspace/workspace.module.css'

/** Shown on every page of an engagement on legal hold. */
export const HoldBanner = () => {
  const { details } = useEngagement()
  if (details.hold === null) return null
  const { reason, heldBy, heldAt } = details.hold
  return (
    <div className={classes.archived} role="status">
      <IconLock size={16} aria-hidden />
      <span>
        On legal hold by {heldBy.name}, <TimeAgo iso={heldAt} />: {reason}. It cannot be deleted.
      </span>
    </div>
  )
}
