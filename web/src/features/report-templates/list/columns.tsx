import { nameOfLanguage } from '../../../domain/reports/report-words.tsx'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { PlainLink } from '../../../shell/routing/links.tsx'
import type { GridColumn } from '../../../ui/grid/columns/columns.ts'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import classes from '../report-templates.module.css'
import { type TemplateRow, TemplateStateLabel } from '../template-words.tsx'

export const COLUMNS: GridColumn<TemplateRow>[] = [
  {
    id: 'name',
    header: 'Template',
    hasLink: true,
    width: 260,
    sort: 'name',
    line: 1,
    cell: (row) => <Name template={row} />,
  },
  { id: 'state', header: 'State', width: 220, line: 2, cell: (row) => <TemplateStateLabel template={row} /> },
  { id: 'version', header: 'Version', width: 90, line: 1, align: 'end', cell: ({ version }) => version },
  {
    id: 'languages',
    header: 'Languages',
    width: 170,
    line: 2,
    cell: ({ languages }) => languages.map(nameOfLanguage).join(', '),
  },
  { id: 'word', header: 'Word template', width: 140, cell: ({ docx }) => (docx ? 'Own' : 'Built-in') },
  {
    id: 'origin',
    header: 'Origin',
    width: 150,
    cell: ({ builtIn, clientId }) =>
      builtIn ? 'Built in' : clientId === null ? 'Your organization' : 'For one client',
  },
  {
    id: 'updatedAt',
    header: 'Changed',
    width: 120,
    sort: 'updatedAt',
    firstOrder: 'desc',
    cell: ({ builtIn, updatedAt }) => !builtIn && <TimeAgo iso={updatedAt} />,
  },
]

const Name = ({ template: { id, name } }: { template: TemplateRow }) => (
  <PlainLink to={paths.reportTemplate(useOrganization().slug, id)} className={classes.name}>
    {name}
  </PlainLink>
)
