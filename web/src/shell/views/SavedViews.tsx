import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate, useParams } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { messageOf, query, useApiMutation } from '../../api/api.ts'
import { IconBookmark } from '../../ui/icons.tsx'
import { lazyPart } from '../../ui/load-part.ts'
import { MenuButton } from '../../ui/overlays/MenuButton.tsx'
import { toast, toastError } from '../../ui/toasts/toast.ts'
import { isAdmin, useOrganization } from '../context/organization.tsx'
import { useAccount } from '../context/session.tsx'
import type { OpenedView } from './opened-view.ts'
import type { ViewList } from './view-list.ts'
import { searchOf, type View, viewSearch } from './view-search.ts'

/** With the fields and drafts of forms. */
const ViewDialog = lazyPart(() => import('./ViewDialog.tsx'), 'ViewDialog')
const DeleteViewDialog = lazyPart(() => import('./ViewDialog.tsx'), 'DeleteViewDialog')

const ViewItems = lazyPart(() => import('./ViewItems.tsx'), 'ViewItems')

interface SavedViewsProps {
  list: ViewList
  /** The last selected view. Kept by the page, because the list remounts while its rows load. */
  chosenId: string | undefined
  onChoose: (id: string) => void
}

/** Saved filters and sort of a list: own views, and shared ones. */
export const SavedViews = ({ list, chosenId, onChoose }: SavedViewsProps) => {
  const organization = useOrganization()
  const { id: userId } = useAccount()
  const { engagementId } = useParams({ strict: false })
  const search = useLocation({ select: (location) => viewSearch(location.search) })
  const navigate = useNavigate()
  const [opened, setOpened] = useState<OpenedView>()
  const { data } = useQuery(
    query(organization.id, 'listViews', { query: { list, ...(engagementId && { engagementId }) } }),
  )
  const update = useApiMutation(organization.id, 'updateView', {
    invalidates: [[organization.id, 'listViews']],
    onSuccess: ({ data: { name } }) => toast(`Updated “${name}”.`),
    onError: (error) => toastError(messageOf(error)),
  })
  const views = data?.data ?? []
  const active =
    views.find((view) => view.search === search && (chosenId === undefined || view.id === chosenId)) ??
    views.find((view) => view.search === search)
  const chosen = active ?? views.find(({ id }) => id === chosenId)
  const mayChange = chosen !== undefined && (chosen.owner.id === userId || isAdmin(organization))
  const activeId = active?.id
  useEffect(() => {
    // Further changes of the filters apply to this view.
    if (activeId !== undefined) onChoose(activeId)
  }, [activeId, onChoose])
  const apply = (view: View) => {
    onChoose(view.id)
    void navigate({ to: '.', search: searchOf(view) })
  }
  const label = chosen ? `${chosen.name}${active ? '' : ' (changed)'}` : 'Views'
  return (
    <>
      <MenuButton
        position="bottom-end"
        width={280}
        button={
          <Button
            variant="default"
            size="compact-sm"
            maw={220}
            flex="none"
            leftSection={<IconBookmark size={14} aria-hidden />}
            aria-label={chosen ? `View: ${label}` : label}
          >
            {label}
          </Button>
        }
      >
        <ViewItems
          views={views}
          active={active}
          chosen={chosen}
          mayChange={mayChange}
          onApply={apply}
          onUpdate={(view) => update.mutate({ params: { viewId: view.id }, body: { search } })}
          onOpen={setOpened}
        />
      </MenuButton>
      <Suspense>
        {(opened?.what === 'save' || opened?.what === 'rename') && (
          <ViewDialog
            list={list}
            engagementId={engagementId ?? null}
            search={search}
            {...(opened.what === 'rename' && { view: opened.view })}
            onSaved={({ id }) => onChoose(id)}
            onClose={() => setOpened(undefined)}
          />
        )}
        {opened?.what === 'delete' && <DeleteViewDialog view={opened.view} onClose={() => setOpened(undefined)} />}
      </Suspense>
    </>
  )
}
