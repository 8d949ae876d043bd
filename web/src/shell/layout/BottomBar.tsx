import { IconMenu2 } from '../../ui/icons.tsx'
import { useFeatures } from '../context/features.ts'
import { useOrganization } from '../context/organization.tsx'
import { PlainLink } from '../routing/links.tsx'
import { destinations } from '../sidebar/navigation.ts'
import classes from './BottomBar.module.css'

/** Phone navigation: the most used pages of an engagement; "More" opens the full navigation. */
export const BottomBar = ({ engagementId, onMore }: { engagementId: string; onMore: () => void }) => {
  const links = destinations(useFeatures(), 'engagement', useOrganization(), engagementId)
  return (
    <nav className={classes.bar} aria-label="Engagement">
      {links
        .filter(({ isOnBar }) => isOnBar)
        .map(({ to, label, icon: Icon }) => (
          <PlainLink
            key={to}
            to={to}
            className={classes.item}
            isExact={links.some((other) => other.to.startsWith(`${to}/`))}
          >
            <Icon size={20} stroke={1.7} aria-hidden />
            {label}
          </PlainLink>
        ))}
      <button type="button" className={classes.item} onClick={onMore}>
        <IconMenu2 size={20} stroke={1.7} aria-hidden />
        More
      </button>
    </nav>
  )
}
