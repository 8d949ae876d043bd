import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, query, useApiMutation } from '../../../api/api.ts'
import { rows } from '../../../api/rows.ts'
import { rowsOf, ShowMore, useParts } from '../../../shell/reads/parts.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { toast, toastError } from '../../../ui/feedback/toast.ts'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { useWiki, type WikiPage } from '../wiki-tree.tsx'
import classes from '../wiki.module.css'

/** Revisions of a page, with the changes of each. */
export const History = ({ page, mayRestore }: { page: WikiPage; mayRestore: boolean }) => {
  const { organizationId } = useWiki()
  const [chosen, setChosen] = useState<number>()
  const params = { pageId: page.id }
  const list = useParts(rows(organizationId, 'listWikiRevisions', { params }))
  return (
    <QueryView query={list}>
      {(read) => {
        const entries = rowsOf(read)
        const shown = chosen ?? entries[0]?.revision ?? page.revision
        return (
          <div className={classes.history}>
            <div>
              <ul className={classes.entries}>
                {/* The changes of the last loaded revision are known only once its predecessor is loaded. */}
                {(list.hasNextPage ? entries.slice(0, -1) : entries).map(({ revision, author, createdAt, size }) => (
                  <li key={revision}>
                    <Button
                      fullWidth
                      justify="flex-start"
                      variant={shown === revision ? 'light' : 'subtle'}
                      aria-pressed={shown === revision}
                      onClick={() => setChosen(revision)}
                    >
                      <span>
                        <TimeAgo iso={createdAt} /> · {author?.name ?? 'API key'} · {size.toLocaleString('en')} bytes
                      </span>
                    </Button>
                  </li>
                ))}
              </ul>
              <ShowMore list={list} />
            </div>
            <Revision
              page={page}
              revision={shown}
              before={entries[entries.findIndex(({ revision }) => revision === shown) + 1]?.revision}
              mayRestore={mayRestore}
            />
          </div>
        )
      }}
    </QueryView>
  )
}

interface RevisionProps {
  page: WikiPage
  revision: number
  /** The preceding revision; undefined for the first. */
  before: number | undefined
  mayRestore: boolean
}

const SIGNS = { same: ' ', added: '+', removed: '−' } as const

const Revision = ({ page, revision, before, mayRestore }: RevisionProps) => {
  const { organizationId } = useWiki()
  const params = { pageId: page.id, revision: String(revision) }
  const shown = useQuery(
    query(organizationId, 'getWikiRevision', { params, query: before === undefined ? {} : { against: before } }),
  )
  const restore = useApiMutation(organizationId, 'restoreWikiRevision', {
    invalidates: [
      [organizationId, 'getWikiPage'],
      [organizationId, 'listWikiRevisions'],
    ],
    onSuccess: () => toast('Restored as a new revision.'),
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <section aria-label={`Revision ${revision}`} className={classes.revision}>
      <Group justify="space-between">
        <Text fw={600}>Revision {revision}</Text>
        {mayRestore && revision !== page.revision && (
          <Button size="xs" variant="default" loading={restore.isPending} onClick={() => restore.mutate({ params })}>
            Restore this text
          </Button>
        )}
      </Group>
      <QueryView query={shown}>
        {({ data }) => (
          <pre className={classes.diff}>
            {(data.diff ?? [{ type: 'same' as const, lines: data.body.split('\n') }]).map(({ type, lines }, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- passages have no id
              <span key={index} className={classes.passage} data-type={type}>
                {lines.map((line) => `${SIGNS[type]} ${line}\n`).join('')}
              </span>
            ))}
          </pre>
        )}
      </QueryView>
    </section>
  )
}
