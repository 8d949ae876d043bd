import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { query } from '../../../api/api.ts'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { PageSkeleton } from '../../../shell/reads/skeletons.tsx'
import { WithCrumbs } from '../../../shell/routing/breadcrumbs.tsx'
import { UploadsProvider } from '../../../shell/uploads/uploads.tsx'
import { useShortcuts } from '../../../ui/commands/commands.ts'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { lazyPart } from '../../../ui/load-part.ts'
import { IconEdit } from '../../../ui/page-icons.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import { type Entry, EntryStateLabel, mayChange } from '../entries.tsx'
import classes from '../library.module.css'
import { entry as route } from '../library.routes.ts'
import { EntryActions } from './EntryActions.tsx'
import { EntryFiles } from './EntryFiles.tsx'
import { EntryProperties } from './EntryProperties.tsx'
import { EntryTexts } from './EntryTexts.tsx'
import { EntryViews } from './EntryViews.tsx'
import { Proposal } from './Proposal.tsx'
import { Versions } from './Versions.tsx'

const EntryForm = lazyPart(() => import('./EntryForm.tsx'), 'EntryForm')

/** One entry of the library: its texts in one language, their form, or its versions. */
export const EntryPage = () => {
  const organization = useOrganization()
  const { entryId } = route.useParams()
  const read = useQuery(query(organization.id, 'getLibraryEntry', { params: { entryId } }))
  return (
    <WithCrumbs crumbs={[{ label: 'Library', to: paths.library(organization.slug) }]}>
      <QueryView query={read} skeleton={<PageSkeleton />}>
        {({ data, meta }) => (
          <UploadsProvider key={data.id} below={paths.libraryEntry(organization.slug, data.id)}>
            <Shown entry={data} clientData={meta.clientData} />
          </UploadsProvider>
        )}
      </QueryView>
    </WithCrumbs>
  )
}

const Shown = ({ entry, clientData }: { entry: Entry; clientData: readonly string[] }) => {
  const organization = useOrganization()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { view, language = entry.mainLanguage } = search
  const isWritable = mayChange(organization, entry)
  const show = (next: typeof search) => void navigate({ search: next })
  const edit = () => show({ view: 'edit', language })
  useShortcuts(
    isWritable && view !== 'edit'
      ? [{ id: 'edit-texts', label: 'Edit the texts', group: 'This page', icon: IconEdit, shortcut: 'e', run: edit }]
      : [],
  )
  return (
    <Page
      title={entry.title}
      documentTitle={`${entry.title} · Library`}
      layout="list"
      actions={<EntryActions entry={entry} clientData={clientData} isEditing={view === 'edit'} onEdit={edit} />}
    >
      <div className={classes.head}>
        <EntryViews
          entry={entry}
          shown={view === 'versions' ? view : language}
          isWritable={isWritable}
          onAdd={(added) => show({ view: 'edit', language: added })}
        />
        <EntryStateLabel state={entry.state} />
      </div>
      <Proposal entry={entry} clientData={clientData} />
      {view === 'edit' && isWritable ? (
        <Suspense fallback={<ListSkeleton rows={8} />}>
          <EntryForm
            key={language}
            entry={entry}
            language={language}
            onDone={() => show({ language })}
            onRemoved={() => show({})}
          />
        </Suspense>
      ) : view === 'versions' ? (
        <Versions entry={entry} isWritable={isWritable} />
      ) : (
        <div className={classes.columns}>
          <div className={classes.main}>
            <EntryTexts entry={entry} language={language} onEdit={isWritable ? edit : undefined} />
            {!entry.builtIn && entry.fromFindingId === null && <EntryFiles entry={entry} isReadOnly={!isWritable} />}
          </div>
          <EntryProperties entry={entry} isWritable={isWritable} />
        </div>
      )}
    </Page>
  )
}
