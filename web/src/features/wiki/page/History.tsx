import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { messageOf, query, useApiMutation } from '../../../api/api.ts'
import { rows } from '../../../api/rows.ts'
import { useParts } from '../../../shell/reads/parts.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { Revisions } from '../../../shell/texts/Revisions.tsx'
import { DiffLines } from '../../../ui/text-merge/DiffLines.tsx'
import { toast, toastError } from '../../../ui/toasts/toast.ts'
import { useWiki, type WikiPage } from '../wiki-tree.tsx'

/** Revisions of a page, with the changes of each. */
export const History = ({ page, mayRestore }: { page: WikiPage; mayRestore: boolean }) => {
  const { organizationId } = useWiki()
  const list = useParts(rows(organizationId, 'listWikiRevisions', { params: { pageId: page.id } }))
  return (
    <Revisions
      list={list}
      current={page.revision}
      render={(revision, before) => (
        <Revision page={page} revision={revision} before={before} mayRestore={mayRestore} />
      )}
    />
  )
}

interface RevisionProps {
  page: WikiPage
  revision: number
  before: number | undefined
  mayRestore: boolean
}

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
    <>
      <Group justify="space-between">
        <Text fw={600}>Revision {revision}</Text>
        {mayRestore && revision !== page.revision && (
          <Button size="xs" variant="default" loading={restore.isPending} onClick={() => restore.mutate({ params })}>
            Restore this text
          </Button>
        )}
      </Group>
      <QueryView query={shown}>
        {({ data }) => <DiffLines passages={data.diff ?? [{ type: 'same' as const, lines: data.body.split('\n') }]} />}
      </QueryView>
    </>
  )
}
