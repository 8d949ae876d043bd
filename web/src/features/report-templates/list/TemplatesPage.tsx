import { Button } from '@mantine/core'
import { Suspense } from 'react'
import { rows } from '../../../api/rows.ts'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { GridView } from '../../../shell/reads/GridView.tsx'
import { useGridPage } from '../../../shell/reads/use-grid-page.ts'
import { useShortcuts } from '../../../ui/commands/commands.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { FilterBar } from '../../../ui/filters/FilterBar.tsx'
import type { FilterDefinition } from '../../../ui/filters/filters.ts'
import { useRows } from '../../../ui/grid/rows/use-rows.ts'
import { IconFileText, IconPlus } from '../../../ui/icons.tsx'
import { lazyPart } from '../../../ui/load-part.ts'
import { Page } from '../../../ui/page/Page.tsx'
import { optionsOf } from '../../../ui/values/options-of.ts'
import { list as route } from '../report-templates.routes.ts'
import { TEMPLATE_STATE_LABELS } from '../template-words.tsx'
import { COLUMNS } from './columns.tsx'

/** With the fields and drafts of forms. */
const NewTemplateDialog = lazyPart(() => import('./NewTemplateDialog.tsx'), 'NewTemplateDialog')

const FILTERS: readonly FilterDefinition[] = [
  { name: 'state', label: 'State', kind: 'words', options: optionsOf(TEMPLATE_STATE_LABELS), isSingle: true },
]

/** The templates of reports: built-in ones, and those of the organization. */
export const TemplatesPage = () => {
  const { id, slug } = useOrganization()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const grid = useGridPage(search, navigate, { definitions: FILTERS, sort: 'name', order: 'asc' })
  const list = useRows(rows(id, 'listReportTemplates', { query: { ...grid.values, ...grid.ordered } }))
  const setCreating = (wanted: boolean) =>
    navigate({
      search: ({ create: _, ...rest }) => (wanted ? { ...rest, create: true as const } : rest),
      replace: true,
    })
  const open = (templateId: string) => navigate({ href: paths.reportTemplate(slug, templateId) })
  useShortcuts([
    {
      id: 'create',
      label: 'New report template',
      group: 'This page',
      shortcut: 'c',
      run: () => void setCreating(true),
    },
  ])
  return (
    <Page
      title="Report templates"
      description="A template decides how reports look and which sections they begin with. Reports use its published version."
      layout="full"
      actions={
        <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => void setCreating(true)}>
          New template
        </Button>
      }
    >
      <GridView
        name="report-templates"
        label="Report templates"
        nouns={['template', 'templates']}
        columns={COLUMNS}
        list={list}
        rowKey={(row) => row.id}
        {...grid.sorting}
        onOpen={(row) => void open(row.id)}
        filters={<FilterBar {...grid.filtering} />}
        isFiltered={grid.isFiltered}
        empty={<EmptyState icon={<IconFileText size={32} stroke={1.4} />} title="No template matches" />}
      />
      <Suspense>
        {search.create && (
          <NewTemplateDialog
            onClose={() => void setCreating(false)}
            onCreated={async (created) => {
              await setCreating(false)
              await open(created)
            }}
          />
        )}
      </Suspense>
    </Page>
  )
}
