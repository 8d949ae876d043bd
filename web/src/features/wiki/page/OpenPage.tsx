import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { linkTo, query } from '../../../api/api.ts'
import { useAccount } from '../../../shell/context/session.tsx'
import { openStreams } from '../../../shell/live/open-streams.ts'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import { DraftNotice } from '../drafts/DraftNotice.tsx'
import { PageEditor } from '../editor/PageEditor.tsx'
import { WikiFrame } from '../tree/WikiFrame.tsx'
import { useWiki, type WikiPage } from '../wiki-tree.tsx'
import { Backlinks } from './Backlinks.tsx'
import { History } from './History.tsx'
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
  usePresence(page)
  const isWritable = mayWrite && page.trashedAt === null
  // An open editor stays if the page is trashed or its engagement archived, so that no text is lost.
  const [hasEditor, setHasEditor] = useState(false)
  const isEdited = view === 'edit' && (isWritable || hasEditor)
  if (isEdited !== hasEditor) setHasEditor(isEdited)
  return (
    <Page
      title={page.title}
      documentTitle={`${page.title} · ${name}`}
      description={<Facts page={page} />}
      actions={<PageActions page={page} isWritable={isWritable} view={view} />}
      layout={view === 'edit' ? 'full' : 'text'}
    >
      {isEdited ? (
        <PageEditor page={page} isWritable={isWritable} />
      ) : view === 'history' ? (
        <History page={page} mayRestore={isWritable} />
      ) : (
        <>
          <DraftNotice page={page} isWritable={isWritable} />
          {page.body === '' ? <Text c="dimmed">This page is empty.</Text> : <WikiText page={page} text={page.body} />}
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
  const others = (data?.data ?? []).filter((person) => person.id !== id)
  return (
    <>
      {page.trashedAt !== null && 'In the trash. '}
      {page.isTemplate && 'A template. '}
      Changed <TimeAgo iso={page.updatedAt} />
      {page.updatedBy && ` by ${page.updatedBy.name}`}
      {others.length > 0 && `. Also here: ${others.map(({ name }) => name).join(', ')}`}
    </>
  )
}

/**
 * Reports presence on the page while its tab is visible. Only then, because a browser has few connections per server and each
 * stream holds one. Changes arrive on the stream that all tabs share.
 */
const usePresence = ({ id, engagementId }: WikiPage): void => {
  const { organizationId } = useWiki()
  useEffect(() => {
    let stream: EventSource | undefined
    const close = () => {
      stream?.close()
      stream = undefined
    }
    const follow = () => {
      if (document.visibilityState !== 'visible') close()
      else
        stream ??= new EventSource(
          linkTo(organizationId, 'streamEvents', {
            query: { viewing: id, ...(engagementId !== null && { engagementId }) },
          }),
        )
    }
    const ending = new AbortController()
    ending.signal.addEventListener('abort', close)
    document.addEventListener('visibilitychange', follow, { signal: ending.signal })
    openStreams.add(ending)
    follow()
    return () => {
      ending.abort()
      openStreams.delete(ending)
    }
  }, [organizationId, id, engagementId])
}
