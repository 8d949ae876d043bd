import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { DialogForm } from '../../../ui/dialogs/DialogForm.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { levelsOf, type PageSummary, useWiki, useWikiTree, type WikiPage, withoutBranch } from '../wiki-tree.tsx'

interface MovePageProps {
  page: WikiPage
  opened: boolean
  onClose: () => void
}

/** Moves a page with its subpages. */
export const MovePage = ({ page, opened, onClose }: MovePageProps) => (
  <Dialog opened={opened} onClose={onClose} title="Move the page" size="sm">
    <Places page={page} onDone={onClose} />
  </Dialog>
)

const Places = ({ page, onDone }: { page: WikiPage; onDone: () => void }) => {
  const tree = useQuery(useWikiTree())
  return (
    <QueryView query={tree}>
      {({ data }) => <MoveForm page={page} pages={withoutBranch(data, page.id)} onDone={onDone} />}
    </QueryView>
  )
}

const MoveForm = ({ page, pages, onDone }: { page: WikiPage; pages: readonly PageSummary[]; onDone: () => void }) => {
  const { organizationId } = useWiki()
  const [parentId, setParentId] = useState(page.parentId ?? '')
  const [beforeId, setBeforeId] = useState('')
  const levels = levelsOf(pages)
  const siblings = pages.filter((other) => (other.parentId ?? '') === parentId)
  const move = useApiMutation(organizationId, 'moveWikiPage', {
    invalidates: [
      [organizationId, 'listWikiPages'],
      [organizationId, 'getWikiPage'],
    ],
    onSuccess: onDone,
  })
  const submit = () =>
    move.mutate({ params: { pageId: page.id }, body: { parentId: parentId || null, ...(beforeId && { beforeId }) } })
  return (
    <DialogForm
      submitLabel="Move"
      onSubmit={submit}
      onCancel={onDone}
      loading={move.isPending}
      error={move.error ? messageOf(move.error) : undefined}
    >
      <Choice
        label="Below"
        data-autofocus
        value={parentId}
        onChange={(value) => {
          setParentId(value)
          setBeforeId('')
        }}
        data={[
          { value: '', label: 'The top' },
          ...pages.map(({ id, title }) => ({
            value: id,
            label: `${'\u00A0\u00A0'.repeat((levels.get(id) ?? 1) - 1)}${title}`,
          })),
        ]}
      />
      <Choice
        label="Position"
        value={beforeId}
        onChange={(value) => setBeforeId(value)}
        data={[
          { value: '', label: 'Last' },
          ...siblings.map(({ id, title }) => ({ value: id, label: `Before ${title}` })),
        ]}
      />
    </DialogForm>
  )
}
