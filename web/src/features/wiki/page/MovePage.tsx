import { useState } from 'react'
import { messageOf, useApiMutation } from '../../../api/api.ts'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { DialogForm } from '../../../ui/dialogs/DialogForm.tsx'
import { levelsOf, type PageSummary, useShownTree, useWiki, type WikiPage, withoutBranch } from '../wiki-tree.tsx'
import { LongChoice } from './LongChoice.tsx'

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
  const { tree, pages } = useShownTree()
  return (
    <QueryView query={tree}>
      {() => <MoveForm page={page} pages={withoutBranch(pages, page.id)} onDone={onDone} />}
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
      <LongChoice
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
      <LongChoice
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
