import { useQuery } from '@tanstack/react-query'
import { query } from '../../api/api.ts'
import { paths } from '../../paths.ts'
import { IconBell } from '../../ui/icons.tsx'
import { type OwnOrganization, useMaybeOrganization } from '../context/organization.tsx'
import { lacksSecondFactor, useAccount } from '../context/session.tsx'
import { PlainLink } from '../routing/links.tsx'
import classes from './InboxLink.module.css'

const MOST_SHOWN = 99

/** Link to the inbox of the open organization, with its unread count. */
export const InboxLink = () => {
  const organization = useMaybeOrganization()
  return organization && <Bell organization={organization} />
}

const Bell = ({ organization: { id, slug } }: { organization: OwnOrganization }) => {
  const account = useAccount()
  const { data } = useQuery({
    ...query(id, 'listNotices', { query: { unread: true, perPage: 1 } }),
    enabled: !lacksSecondFactor(account, id),
  })
  const unread = data?.meta.total ?? 0
  return (
    <PlainLink to={paths.inbox(slug)} className={classes.bell} hint="Inbox">
      <IconBell size={17} stroke={1.7} aria-hidden />
      <span className="visually-hidden">{unread === 0 ? 'Inbox' : `Inbox, ${unread} unread`}</span>
      {unread > 0 && (
        <span className={classes.count} aria-hidden>
          {unread > MOST_SHOWN ? `${MOST_SHOWN}+` : unread}
        </span>
      )}
    </PlainLink>
  )
}
