import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../../../api/api.ts'
import { paths } from '../../../../paths.ts'
import { useEngagement } from '../../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { TextLink } from '../../../../shell/routing/links.tsx'
import { StatusLabel } from '../../../../ui/feedback/StatusLabel.tsx'
import { Section } from '../../../../ui/page/Page.tsx'
import { LEAD_FIELD } from '../properties/lead-field.ts'
import classes from '../workspace.module.css'

/** What an engagement needs before its test begins; gone once it has a scope, targets and results. */
export const NextSteps = () => {
  const { id: organizationId, slug } = useOrganization()
  const { engagement, details, mayChangeDetails, isArchived } = useEngagement()
  const { id } = engagement
  const overview = useQuery(query(organizationId, 'getEngagementOverview', { params: { engagementId: id } }))
  const rules = useQuery(query(organizationId, 'listScopeRules', { query: { engagementId: id, perPage: 1 } }))
  if (isArchived || !overview.data || !rules.data) return null
  const { targets, results, tasks } = overview.data.data
  const hasScope = rules.data.data.length > 0
  const hasTargets = targets === null || sum(Object.values(targets.byKind)) > 0
  const hasResults =
    results === null || sum(Object.values(results.byKind).map(({ present, gone }) => present + gone)) > 0
  if (hasScope && hasTargets && hasResults) return null
  const steps = [
    { label: 'Set the scope', to: paths.scope(slug, id), isDone: hasScope },
    { label: 'Add targets', to: paths.targets(slug, id), isDone: hasTargets },
    { label: 'Choose lead and team', to: undefined, isDone: details.lead !== null && details.team.length > 0 },
    {
      label: 'Create tasks from a methodology',
      to: paths.engagementCoverage(slug, id),
      isDone: tasks !== null && sum(Object.values(tasks.byStatus)) > 0,
    },
    { label: 'Import results of your tools', to: paths.imports(slug, id), isDone: hasResults },
  ]
  return (
    <Section title="Next steps">
      <ol className={classes.contacts}>
        {steps.map(({ label, to, isDone }) => (
          <li key={label} className={classes.step}>
            {to ? (
              <TextLink to={to}>{label}</TextLink>
            ) : mayChangeDetails ? (
              <Anchor
                component="button"
                type="button"
                size="sm"
                onClick={() => document.getElementById(LEAD_FIELD)?.focus()}
              >
                {label}
              </Anchor>
            ) : (
              <span>{label}</span>
            )}
            {isDone && <StatusLabel tone="good">Done</StatusLabel>}
          </li>
        ))}
      </ol>
    </Section>
  )
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)
