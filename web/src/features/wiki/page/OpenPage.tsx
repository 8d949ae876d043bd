import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { query } from '../../../api/api.ts'
import { LeftDraftNotice } from '../../../forms/texts/LeftDraftNotice.tsx'
import { useAccount } from '../../../shell/context/session.tsx'
import { alsoHere } from '../../../shell/presence/also-here.ts'
import { usePresence } from '../../../shell/presence/use-presence.ts'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { useVisit } from '../../../shell/visits/use-visit.ts'
import { Page } from '../../../ui/page/Page.tsx'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { PageEditor } from '../editor/PageEditor.tsx'
import { WikiFrame } from '../tree/WikiFrame.tsx'
import { useWiki, type WikiPage } from '../wiki-tree.tsx'
import classes from '../wiki.module.css'
import { Backlinks } from './Backlinks.tsx'
import { History } from './History.tsx'
import { Outline } from './Outline.tsx'
import { PageActions } from './PageActions.tsx'
import { PageFiles } from './PageFiles.tsx'
import { WikiText } from './WikiText.tsx'

/** One page: text, editor or history. */
export const OpenPage = ({ pageId, view }: { pageId: string; view: 'edit' | 'history' | undefined }) => {
  const { organizationId } = useWiki()
  const page = useQuery(query(organizationId, 'getWikiPage', { params: { pageId } }))
  return (
    <WikiFrame pageId={pageId}>
      <QueryView query={page}>{({ data }) => <Shown page={data} view={view} />}</QueryView>
    </WikiFrame>
  )
}

const Shown = ({ page, view }: { page: WikiPage; view: 'edit' | 'history' | undefined }) => {
  const { name, engagementId, addressOf, mayWrite } = useWiki()
  const navigate = useNavigate()
  const isElsewhere = page.engagementId !== engagementId
  // An address of the organization opens every page, and redirects to the wiki of the page.
  useEffect(() => {
    if (isElsewhere) void navigate({ to: addressOf(page.id, page.engagementId), replace: true })
  }, [isElsewhere, navigate, addressOf, page.id, page.engagementId])
  const text = useRef<HTMLDivElement>(null)
  useVisit(page.id)
  const isWritable = mayWrite && page.trashedAt === null
  // An open editor stays if the page is trashed or its engagement archived, so that no text is lost.
  const [hasEditor, setHasEditor] = useState(false)
  const isEdited = view === 'edit' && (isWritable || hasEditor)
  if (isEdited !== hasEditor) setHasEditor(isEdited)
  usePresence({ id: page.id, engagementId: page.engagementId, isEditing: isEdited })
  return (
    <Page
      title={page.title}
      documentTitle={`${page.title} · ${name}`}
      facts={<Facts page={page} />}
      actions={<PageActions page={page} isWritable={isWritable} view={view} />}
      layout={view === 'edit' ? 'full' : 'text'}
    >
      {isEdited ? (
        <PageEditor page={page} isWritable={isWritable} />
      ) : view === 'history' ? (
        <History page={page} mayRestore={isWritable} />
      ) : (
        <>
          <LeftDraftNotice
            of={`wiki/${page.id}`}
            noun="page"
            texts={{ body: page.body }}
            isWritable={isWritable}
            editTo={`${addressOf(page.id)}?view=edit`}
          />
          {page.body === '' ? (
            <Text c="dimmed">This page is empty.</Text>
          ) : (
            <div className={classes.read}>
              <div ref={text} className={classes.readText}>
                <WikiText page={page} text={page.body} />
              </div>
              <Outline key={page.id} of={text} />
            </div>
          )}
          <Backlinks page={page} />
          {page.trashedAt === null && <PageFiles page={page} isReadOnly={!isWritable} />}
        </>
      )}
    </Page>
  )
}

const Facts = ({ page }: { page: WikiPage }) => {
  const { organizationId } = useWiki()
  const { id } = useAccount()
  const { data } = useQuery(query(organizationId, 'listWikiViewers', { params: { pageId: page.id } }))
  const others = alsoHere(data?.data, id)
  return (
    <>
      {page.trashedAt !== null && 'In the trash. '}
      {page.isTemplate && 'A template. '}
      Changed <TimeAgo iso={page.updatedAt} />
      {page.updatedBy && ` by ${page.updatedBy.name}`}
      {others && `. ${others}`}
    </>
  )
}
