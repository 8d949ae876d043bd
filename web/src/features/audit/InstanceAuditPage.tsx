import { call } from '../../api/api.ts'
import { rows } from '../../api/rows.ts'
import { CursorList } from '../../shell/reads/CursorList.tsx'
import { DateField } from '../../ui/dates/DateField.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { IconHistory } from '../../ui/icons.tsx'
import { Page } from '../../ui/page/Page.tsx'
import classes from './audit.module.css'
import { instancePage as route } from './audit.routes.ts'
import { COLUMNS, endOf, ExportButton, startOf } from './entries.tsx'

/** Sign-ins, accounts and the instance itself: what belongs to no organization. */
export const InstanceAuditPage = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const set = (field: keyof typeof search) => (value: string) =>
    void navigate({ search: ({ [field]: _, ...rest }) => (value ? { ...rest, [field]: value } : rest), replace: true })
  const filters = {
    ...(search.from && { from: startOf(search.from) }),
    ...(search.to && { to: endOf(search.to) }),
  }
  return (
    <Page
      title="Audit log"
      description="Sign-ins, changes of accounts and of the instance, newest first. Each organization has a log of its own."
      actions={
        <ExportButton
          fileName={'instance-audit-log.csv'}
          read={() => call(null, 'exportInstanceAuditEntries', { query: filters })}
        />
      }
    >
      <div className={classes.filters}>
        <DateField label="From" size="xs" value={search.from ?? ''} onChange={set('from')} />
        <DateField label="To" size="xs" value={search.to ?? ''} onChange={set('to')} />
      </div>
      <CursorList
        label="Audit log"
        {...rows(null, 'listInstanceAuditEntries', { query: filters })}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty={<EmptyState icon={<IconHistory size={32} stroke={1.4} />} title="Nothing happened on these days" />}
        more="Show older entries"
      />
    </Page>
  )
}
