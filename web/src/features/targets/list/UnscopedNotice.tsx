import { useQuery } from '@tanstack/react-query'
import { query } from '../../../api.ts'
import { paths } from '../../../paths.ts'
import { TextLink } from '../../../shell/links.tsx'
import { useOrganization } from '../../../shell/organization.tsx'
import classes from '../targets.module.css'

/** Above the targets of an engagement without rules: their verdicts mean nothing yet. */
export const UnscopedNotice = ({ engagementId }: { engagementId: string }) => {
  const organization = useOrganization()
  const rules = useQuery(query(organization.id, 'listScopeRules', { query: { engagementId, perPage: 1 } }))
  if (rules.data?.data.length !== 0) return null
  return (
    <div className={classes.unscoped} role="status">
      <span>This engagement has no scope yet: nothing says what may be touched.</span>
      <TextLink to={paths.scope(organization.slug, engagementId)}>Set the scope</TextLink>
    </div>
  )
}
