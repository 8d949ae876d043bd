import { paths } from '../../paths.ts'
import { useEngagement } from '../../shell/context/engagement.tsx'
import { useOrganization } from '../../shell/context/organization.tsx'
import { TextLink } from '../../shell/routing/links.tsx'
import { FilterTabs } from '../../ui/lists/Filters.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { optionsOf } from '../../ui/values/options-of.ts'
import { DeletedResults, DeletedRules, DeletedTargets, DeletedTasks } from './deleted-lists.tsx'
import { KIND_LABELS } from './kinds.ts'
import { trash as route } from './trash.routes.ts'

const LISTS = { results: DeletedResults, targets: DeletedTargets, scope: DeletedRules, tasks: DeletedTasks }

/** What was deleted in an engagement in the last 30 days. */
export const TrashPage = () => {
  const { slug } = useOrganization()
  const { engagement } = useEngagement()
  const { kind = 'results', q } = route.useSearch()
  const navigate = route.useNavigate()
  const List = LISTS[kind]
  return (
    <Page
      title="Trash"
      documentTitle={`Trash · ${engagement.name}`}
      description={
        <>
          What was deleted stays here for 30 days, and comes back as it was. Deleted{' '}
          <TextLink to={`${paths.findings(slug, engagement.id)}?trashed=true`}>findings</TextLink> and{' '}
          <TextLink to={`${paths.engagementWiki(slug, engagement.id)}?view=trash`}>wiki pages</TextLink> are in their
          own lists.
        </>
      }
      actions={
        <FilterTabs
          label="Deleted"
          value={kind}
          options={optionsOf(KIND_LABELS)}
          onChange={(next) => void navigate({ search: { kind: next } })}
        />
      }
      layout="full"
    >
      <List key={kind} q={q} onFilter={(next) => void navigate({ search: next ? { kind, q: next } : { kind } })} />
    </Page>
  )
}
