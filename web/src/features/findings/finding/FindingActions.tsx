import { ActionIcon, Menu, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { messageOf, query, useApiMutation } from '../../../api/api.ts'
import { useSend } from '../../../api/use-send.ts'
import { staleFindingReads } from '../../../domain/finding-words.tsx'
import { DraftDialogForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { RenderMenu } from '../../../shell/renders/RenderMenu.tsx'
import { ButtonLink } from '../../../shell/routing/links.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { DropdownMenu } from '../../../ui/dialogs/DropdownMenu.tsx'
import { IconBooks, IconRefresh } from '../../../ui/icons.tsx'
import { lazyPart } from '../../../ui/load-part.ts'
import { IconArrowsDiff, IconDots, IconEdit, IconPencil, IconTrash } from '../../../ui/page-icons.tsx'
import { toastWithUndo } from '../../../ui/toasts/toast-with-undo.tsx'
import { toastError } from '../../../ui/toasts/toast.ts'
import { finding as route } from '../findings.routes.ts'
import type { Finding } from '../labels.ts'
import { RestoreButton } from '../list/trash.tsx'

const PlanRetestDialog = lazyPart(() => import('../retests/PlanRetestDialog.tsx'), 'PlanRetestDialog')

interface FindingActionsProps {
  finding: Finding
  mayChange: boolean
  isEditing: boolean
}

/** Edit, rename, propose for the library, plan a retest, delete; restore from the trash. */
export const FindingActions = ({ finding, mayChange, isEditing }: FindingActionsProps) => {
  const organization = useOrganization()
  const { side } = route.useSearch()
  const router = useRouter()
  const [isRenaming, setRenaming] = useState(false)
  const [isPlanning, setPlanning] = useState(false)
  const list = paths.findings(organization.slug, finding.engagementId)
  const address = paths.finding(organization.slug, finding.engagementId, finding.id)
  const invalidates = staleFindingReads(organization.id)
  const onError = (error: Error) => toastError(messageOf(error))
  const restore = useApiMutation(organization.id, 'restoreFinding', { invalidates, onError })
  const remove = useApiMutation(organization.id, 'deleteFinding', {
    invalidates,
    onError,
    onSuccess: async () => {
      await router.navigate({ href: list })
      toastWithUndo('Moved to the trash.', () => restore.mutate({ params: { findingId: finding.id } }))
    },
  })
  const propose = useApiMutation(organization.id, 'createLibraryEntry', {
    invalidates: [[organization.id, 'listLibraryEntries']],
    onError,
    onSuccess: ({ data }) => router.navigate({ href: paths.libraryEntry(organization.slug, data.id) }),
  })
  if (finding.trashedAt !== null) return <RestoreButton ids={[finding.id]} onDone={() => undefined} />
  const render = <RenderMenu of={{ type: 'finding', id: finding.id, title: finding.title }} />
  if (!mayChange) return render
  return (
    <>
      {!isEditing && render}
      {!isEditing && (
        <ButtonLink
          variant="default"
          to={`${address}?view=edit${side === 'comments' ? '&side=comments' : ''}`}
          leftSection={<IconEdit size={14} aria-hidden />}
        >
          Edit texts
        </ButtonLink>
      )}
      <DropdownMenu
        position="bottom-end"
        target={
          <ActionIcon variant="default" size={30} aria-label="More actions">
            <IconDots size={15} aria-hidden />
          </ActionIcon>
        }
      >
        <Menu.Item leftSection={<IconPencil size={14} aria-hidden />} onClick={() => setRenaming(true)}>
          Rename
        </Menu.Item>
        <Menu.Item leftSection={<IconRefresh size={14} aria-hidden />} onClick={() => setPlanning(true)}>
          Plan a retest
        </Menu.Item>
        <Menu.Item
          leftSection={<IconBooks size={14} aria-hidden />}
          onClick={() => propose.mutate({ body: { fromFindingId: finding.id } })}
        >
          Propose for the library
        </Menu.Item>
        {finding.libraryEntryId !== null && (
          <Menu.Item
            leftSection={<IconArrowsDiff size={14} aria-hidden />}
            onClick={() => void router.navigate({ href: `${address}?view=library` })}
          >
            Compare with the library
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<IconTrash size={14} aria-hidden />}
          onClick={() => remove.mutate({ params: { findingId: finding.id } })}
        >
          Move to the trash
        </Menu.Item>
      </DropdownMenu>
      <Suspense>
        {isPlanning && (
          <PlanRetestDialog
            engagementId={finding.engagementId}
            findings={{ findingIds: [finding.id] }}
            counted={`finding ${finding.number}`}
            onClose={() => setPlanning(false)}
          />
        )}
      </Suspense>
      {isRenaming && <RenameDialog finding={finding} onClose={() => setRenaming(false)} />}
    </>
  )
}

const RenameDialog = ({ finding, onClose }: { finding: Finding; onClose: () => void }) => (
  <Dialog opened onClose={onClose} title="Rename the finding">
    <RenameForm finding={finding} onClose={onClose} />
  </Dialog>
)

const savedOf = ({ title, updatedAt }: Finding) => ({ values: { title }, version: updatedAt })

const RenameForm = ({ finding, onClose }: { finding: Finding; onClose: () => void }) => {
  const organization = useOrganization()
  const cache = useQueryClient()
  const params = { findingId: finding.id }
  const send = useSend(organization.id, 'updateFinding', staleFindingReads(organization.id))
  const form = useDraftForm({
    draft: `finding-title/${finding.id}`,
    saved: savedOf(finding),
    send: (values, ifUpdatedAt) => send({ params, body: { ...values, ...(ifUpdatedAt && { ifUpdatedAt }) } }),
    reread: async () => savedOf((await cache.fetchQuery(query(organization.id, 'getFinding', { params }))).data),
    onSaved: onClose,
  })
  return (
    <DraftDialogForm
      form={form}
      labels={{ title: 'Title' }}
      submitLabel="Rename"
      onCancel={onClose}
      disabled={!form.values.title.trim()}
    >
      <TextInput label="Title" maxLength={300} data-autofocus {...form.getInputProps('title')} />
    </DraftDialogForm>
  )
}
