import { Button, Code, Stack, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../api/api.ts'
import { IconDownload } from '../../ui/icons.tsx'
import type { Column } from '../../ui/lists/DataTable.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { toastError } from '../../ui/toasts/toast.ts'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'
import classes from './audit.module.css'

type Entry = Output<'listAuditEntries'>['data'][number]

/** Of an audit log, of an organization or of the instance. */
export const COLUMNS: Column<Entry>[] = [
  { header: 'What', cell: (entry) => <WhatCell entry={entry} /> },
  { header: 'Who', kind: 'secondary', cell: (entry) => <WhoCell entry={entry} /> },
  { header: 'When', kind: 'secondary', cell: ({ createdAt }) => <TimeAgo iso={createdAt} /> },
]

/** `api_key.created` → `Api key created` */
export const describeAction = (action: string): string => {
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

/** @param read the log as CSV */
export const ExportButton = ({ fileName, read }: { fileName: string; read: () => Promise<string> }) => {
  const download = useMutation({
    mutationFn: read,
    onSuccess: (text) => saveFile(text, 'text/csv;charset=utf-8', fileName),
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={14} aria-hidden />}
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      Export as CSV
    </Button>
  )
}

/** Start of a day in the user's time zone, as an ISO timestamp. */
export const startOf = (day: string): string => new Date(`${day}T00:00:00`).toISOString()
/** End of a day in the user's time zone, as an ISO timestamp. */
export const endOf = (day: string): string => {
  const date = new Date(`${day}T00:00:00`)
  date.setDate(date.getDate() + 1)
  return date.toISOString()
}
