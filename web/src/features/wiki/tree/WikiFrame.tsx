import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { WithCrumbs } from '../../../shell/routing/breadcrumbs.tsx'
import { TreeFrame } from '../../../ui/page/TreeFrame.tsx'
import { ancestorsOf, type PageSummary, useWiki, useWikiTree } from '../wiki-tree.tsx'
import classes from '../wiki.module.css'
import { NewPage } from './NewPage.tsx'
import { PageTree } from './PageTree.tsx'

interface WikiFrameProps {
  /** The open page. */
  pageId?: string
  /** The address asks for a new page. */
  isMaking?: boolean
  children: ReactNode
}

/** Page tree of a wiki, with the open page next to it. */
export const WikiFrame = ({ pageId, isMaking = false, children }: WikiFrameProps) => {
  const { mayWrite, home, addressOf } = useWiki()
  const tree = useQuery(useWikiTree())
  const crumbOf = ({ id, title }: PageSummary) => ({ label: title, to: addressOf(id) })
  return (
    <TreeFrame
      label="Pages"
      isOpen={pageId !== undefined}
      tree={
        <>
          {mayWrite && <NewPage parentId={pageId} isAsked={isMaking} hasCommands />}
          <QueryView query={tree}>{({ data }) => <PageTree pages={data} openId={pageId} />}</QueryView>
          <Link
            to={home}
            search={{ view: 'trash' }}
            className={classes.trashLink}
            activeOptions={{ exact: true, includeSearch: true }}
            activeProps={{ 'data-active': true }}
          >
            Trash
          </Link>
        </>
      }
    >
      <WithCrumbs
        crumbs={
          pageId === undefined
            ? []
            : [{ label: 'Wiki', to: home }, ...ancestorsOf(tree.data?.data ?? [], pageId).map(crumbOf)]
        }
      >
        {children}
      </WithCrumbs>
    </TreeFrame>
  )
}
