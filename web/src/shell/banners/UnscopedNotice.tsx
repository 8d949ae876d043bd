import { useQuery } from '@tanstack/react-query'
import { query } from '../../api/api.ts'
import { paths } from '../../paths.ts'
import { useOrganization } from '../context/organization.tsx'
import { TextLink } from '../routing/links.tsx'
import classes from './UnscopedNotice.module.css'

/** True if no rule defines the scope; undefined while loading. */
export const useIsUnscoped = (engagementId: string): boolean | undefined => {
  const organization = useOrganization()
  const rules = useQuery(
    query(organization.id, 'listScopeRules', { query: { engagementId, effect: ['allow'], perPage: 1 } }),
  )
  return rules.data && rules.data.data.length === 0
}

/** Shown while nothing is in scope: verdicts have no meaning yet. */
export const UnscopedNotice = ({ engagementId }: { engagementId: string }) => {
  const { slug } = useOrganization()
  if (!useIsUnscoped(engagementId)) return null
  return (
    <div className={classes.unscoped} role="status">
      <span>This engagement has no scope yet: no rule defines what may be touched.</span>
      <TextLink to={paths.scope(slug, engagementId)}>Set the scope</TextLink>
    </div>
  )
}
