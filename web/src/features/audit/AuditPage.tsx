import { Button, Code, Stack, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, messageOf, query } from '../../api/api.ts'
import { rows } from '../../api/rows.ts'
import { paths } from '../../paths.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { CursorList } from '../../shell/reads/CursorList.tsx'
import { ButtonLink } from '../../shell/routing/links.tsx'
import { DateField } from '../../ui/dates/DateField.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { Choice } from '../../ui/fields/Choice.tsx'
import { IconDownload, IconHistory } from '../../ui/icons.tsx'
import type { Column } from '../../ui/lists/DataTable.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { toastError } from '../../ui/toasts/toast.ts'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'
import classes from './audit.module.css'
import { settingsPage as route } from './audit.routes.ts'

type Entry = Output<'listAuditEntries'>['data'][number]

const COLUMNS: Column<Entry>[] = [
  { header: 'What', cell: (entry) => <WhatCell entry={entry} /> },
  { header: 'Who', kind: 'secondary', cell: (entry) => <WhoCell entry={entry} /> },
  { header: 'When', kind: 'secondary', cell: ({ createdAt }) => <TimeAgo iso={createdAt} /> },
]

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
  const download = useMutation({
    mutationFn: () => call(organization.id, 'exportAuditEntries', { query: filters }),
    onSuccess: (text) => saveFile(text, 'text/csv;charset=utf-8', `audit-${organization.slug}.csv`),
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <Page
      title="Audit log"
      description="Who changed what, newest first. Entries can't be changed or deleted."
      actions={
        <Button
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          loading={download.isPending}
          onClick={() => download.mutate()}
        >
          Export as CSV
        </Button>
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

/** `api_key.created` → `Api key created` */
const describeAction = (action: string): string => {
  const words = action.replace(/[._-]+/g, ' ').replace(/^api key/, 'API key')
  return `${words[0]?.toUpperCase()}${words.slice(1)}`
}

const WhatCell = ({ entry }: { entry: Entry }) => {
  const [open, setOpen] = useState(false)
  const details = entry.before !== null || entry.after !== null
  const summary = summaryOf(entry)
  return (
    <Stack gap={2} align="flex-start">
      <Text size="sm" fw={500}>
        {describeAction(entry.action)}
      </Text>
      {summary && (
        <Text size="xs" c="dimmed">
          {summary}
        </Text>
      )}
      {details && (
        <button type="button" className={classes.more} aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Hide details' : 'Details'}
        </button>
      )}
      {open && (
        <Code block className={classes.details}>
          {JSON.stringify(
            { object: entry.object, address: entry.address, before: entry.before, after: entry.after },
            null,
            2,
          )}
        </Code>
      )}
    </Stack>
  )
}

/** Object name and the change, if the change fits in words. */
const summaryOf = (entry: Entry): string =>
  [
    changed(entry, 'name') ?? entry.object.name,
    changed(entry, 'role'),
    changed(entry, 'status'),
    changed(entry, 'plan'),
  ]
    .filter(Boolean)
    .join(', ')

/** `active → completed` */
const changed = ({ before, after }: Entry, field: string): string | undefined => {
  const [old, now] = [before?.[field], after?.[field]]
  return typeof old === 'string' && typeof now === 'string' && old !== now ? `${old} → ${now}` : undefined
}

const WhoCell = ({ entry: { actor, address } }: { entry: Entry }) => (
  <div>
    <Text size="sm">
      {actor.name}
      {actor.type === 'key' && ` (${actor.environment === 'test' ? 'test ' : ''}API key)`}
    </Text>
    {address && (
      <Text size="xs" c="dimmed">
        {address}
      </Text>
    )}
  </div>
)

/** Start of a day in the user's time zone, as an ISO timestamp. */
const startOf = (day: string): string => new Date(`${day}T00:00:00`).toISOString()
const endOf = (day: string): string => {
  const date = new Date(`${day}T00:00:00`)
  date.setDate(date.getDate() + 1)
  return date.toISOString()
}
