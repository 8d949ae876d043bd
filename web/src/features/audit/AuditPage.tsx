import { useQuery } from '@tanstack/react-query'
import { call, query } from '../../api/api.ts'
import { rows } from '../../api/rows.ts'
import { paths } from '../../paths.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { CursorList } from '../../shell/reads/CursorList.tsx'
import { ButtonLink } from '../../shell/routing/links.tsx'
import { DateField } from '../../ui/dates/DateField.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { Choice } from '../../ui/fields/Choice.tsx'
import { IconHistory } from '../../ui/icons.tsx'
import { Page } from '../../ui/page/Page.tsx'
import classes from './audit.module.css'
import { settingsPage as route } from './audit.routes.ts'
import { COLUMNS, describeAction, endOf, ExportButton, startOf } from './entries.tsx'

export const AuditPage = () => {
  const organization = useOrganization()
  const search = route.useSearch()
  const filters = {
    ...(search.action && { action: search.action }),
    ...(search.actorId && { actorId: search.actorId }),
    ...(search.objectId && { objectId: search.objectId }),
    ...(search.from && { from: startOf(search.from) }),
    ...(search.to && { to: endOf(search.to) }),
  }
  return (
    <Page
      title="Audit log"
      description="Who changed what, newest first. Entries can't be changed or deleted."
      actions={
        <ExportButton
          fileName={`audit-${organization.slug}.csv`}
          read={() => call(organization.id, 'exportAuditEntries', { query: filters })}
        />
      }
    >
      <Filters />
      <CursorList
        label="Audit log"
        {...rows(organization.id, 'listAuditEntries', { query: filters })}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            icon={<IconHistory size={32} stroke={1.4} />}
            title="Nothing matches these filters"
            action={
              <ButtonLink variant="default" to={paths.audit(organization.slug)}>
                Show everything
              </ButtonLink>
            }
          />
        }
        more="Show older entries"
      />
    </Page>
  )
}

const Filters = () => {
  const organization = useOrganization()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data } = useQuery(query(organization.id, 'listAuditFilters'))
  const set = (field: keyof typeof search) => (value: string) =>
    void navigate({ search: ({ [field]: _, ...rest }) => (value ? { ...rest, [field]: value } : rest), replace: true })
  return (
    <div className={classes.filters}>
      <Choice
        label="Action"
        size="xs"
        value={search.action ?? ''}
        onChange={(chosen) => set('action')(chosen)}
        data={[
          { value: '', label: 'All actions' },
          ...(data?.data.actions ?? []).map((action) => ({ value: action, label: describeAction(action) })),
        ]}
      />
      <Choice
        label="By"
        size="xs"
        value={search.actorId ?? ''}
        onChange={(chosen) => set('actorId')(chosen)}
        data={[
          { value: '', label: 'Everyone' },
          ...(data?.data.actors ?? []).map(({ id, name, type }) => ({
            value: id,
            label: type === 'key' ? `${name} (API key)` : name,
          })),
        ]}
      />
      <DateField label="From" size="xs" value={search.from ?? ''} onChange={set('from')} />
      <DateField label="To" size="xs" value={search.to ?? ''} onChange={set('to')} />
    </div>
  )
}
