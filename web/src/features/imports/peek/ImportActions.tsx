import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { paths } from '../../../paths.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { ButtonLink } from '../../../shell/routing/links.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { toastError } from '../../../ui/toasts/toast.ts'
import { type Import, isDeletable, isUndoable } from '../states.ts'

/** Most imports and undos finish within this time, so that the response already has the final state. */
const WAIT_SECONDS = 2

/** Actions on an import, by its state. */
export const ImportActions = ({ item, onGone }: { item: Import; onGone: () => void }) => {
  const organization = useOrganization()
  const { engagement, isArchived } = useEngagement()
  const [asked, setAsked] = useState<'undo' | 'delete'>()
  const params = { importId: item.id }
  const stale = (['listImports', 'getImport', 'listResults', 'countResults'] as const).map(
    (name) => [organization.id, name] as const,
  )
  const apply = useApiMutation(organization.id, 'applyImport', {
    invalidates: stale,
    onError: (error) => toastError(messageOf(error)),
  })
  const undo = useApiMutation(organization.id, 'undoImport', {
    invalidates: stale,
    onSuccess: () => setAsked(undefined),
  })
  const remove = useApiMutation(organization.id, 'deleteImport', {
    invalidates: [[organization.id, 'listImports']],
    onSuccess: () => {
      onGone()
    },
  })
  const close = () => {
    setAsked(undefined)
    undo.reset()
    remove.reset()
  }
  return (
    <Group gap="xs">
      {!isArchived && item.state === 'previewed' && (
        <Button loading={apply.isPending} onClick={() => apply.mutate({ params, query: { wait: WAIT_SECONDS } })}>
          Apply
        </Button>
      )}
      {isUndoable(item) && (
        <ButtonLink variant="default" to={`${paths.results(organization.slug, engagement.id)}?importId=${item.id}`}>
          Show results
        </ButtonLink>
      )}
      {isUndoable(item) && (
        <ButtonLink
          variant="default"
          to={`${paths.resultsDiff(organization.slug, engagement.id)}?from=${beforeIt(item)}&to=${item.id}`}
        >
          Show changes
        </ButtonLink>
      )}
      {!isArchived && isUndoable(item) && (
        <Button variant="default" onClick={() => setAsked('undo')}>
          Undo import
        </Button>
      )}
      {!isArchived && isDeletable(item) && (
        <Button variant="default" onClick={() => setAsked('delete')}>
          Delete
        </Button>
      )}
      <ConfirmDialog
        opened={asked === 'undo'}
        onClose={close}
        onConfirm={() => undo.mutate({ params, query: { wait: WAIT_SECONDS } })}
        title={`Undo the import of ${item.fileName}?`}
        confirmLabel="Undo import"
        loading={undo.isPending}
        error={undo.error ? messageOf(undo.error) : undefined}
      >
        Removes what only this import added and restores what it changed. Results confirmed by other sources or edited
        since are kept.
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked === 'delete'}
        onClose={close}
        onConfirm={() => remove.mutate({ params })}
        title={`Delete the import of ${item.fileName}?`}
        confirmLabel="Delete import"
        loading={remove.isPending}
        error={remove.error ? messageOf(remove.error) : undefined}
      >
        Its file and the list of rejected entries are deleted for everyone. This can't be undone.
      </ConfirmDialog>
    </Group>
  )
}

/** The moment before the import's data was observed, which can be long before it was imported. */
const beforeIt = ({ seenAt, createdAt }: Import): string =>
  seenAt === null ? createdAt : new Date(Date.parse(seenAt) - 1).toISOString()
