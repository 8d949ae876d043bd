import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { IconBroadcast } from '../../../ui/icons.tsx'
import classes from '../operations.module.css'

/** Shown instead of rows: states what the log covers, so that an empty result is not taken as proof. */
export const NothingLogged = ({ isAsked, action }: { isAsked: boolean; action: React.ReactNode }) => (
  <EmptyState
    icon={<IconBroadcast size={32} stroke={1.4} />}
    title={isAsked ? 'No matching entries' : 'No traffic yet'}
    action={action}
  >
    The log covers
    <ul className={classes.covers}>
      <li>scans of this server, by address, protocol and minute;</li>
      <li>requests that were sent from here;</li>
      <li>imported files, if they state when a host was contacted;</li>
      <li>entries that members added.</li>
    </ul>
    Tools that ran elsewhere are missing unless their files state times or a member added an entry: ask the team, too.
  </EmptyState>
)
