import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { IconBroadcast } from '../../../ui/icons.tsx'
import classes from '../operations.module.css'

/** Shown instead of rows: states what the log covers, so that an empty result is not taken as proof. */
export const NothingLogged = ({ isAsked, action }: { isAsked: boolean; action: React.ReactNode }) => (
  <EmptyState
    icon={<IconBroadcast size={32} stroke={1.4} />}
    title={isAsked ? 'Nothing that is written here fits' : 'Nothing went to the network yet'}
    action={action}
  >
    The log covers
    <ul className={classes.covers}>
      <li>scans of this server, by address, protocol and minute;</li>
      <li>requests that were sent from here;</li>
      <li>files that were imported, where they say when a host was asked;</li>
      <li>what somebody wrote down.</li>
    </ul>
    Tools that ran elsewhere are not in it unless their files say when, or somebody wrote them down: ask the team, too.
  </EmptyState>
)
