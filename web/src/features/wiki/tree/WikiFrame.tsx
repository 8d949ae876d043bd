import { CloseButton, Text, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { WithCrumbs } from '../../../shell/routing/breadcrumbs.tsx'
import { useShortcuts } from '../../../ui/commands/commands.ts'
import { IconFilter } from '../../../ui/icons.tsx'
import { TreeFrame } from '../../../ui/page/TreeFrame.tsx'
import { ancestorsOf, type PageSummary, useShownTree, useWiki } from '../wiki-tree.tsx'
import classes from '../wiki.module.css'
import { rememberPage } from './last-page.ts'
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
  const { mayWrite, home, addressOf, engagementId, organizationId } = useWiki()
  const { tree, pages } = useShownTree()
  const [filter, setFilter] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useShortcuts([
    {
      id: 'filter',
      label: 'Filter the pages',
      group: 'This page',
      icon: IconFilter,
      shortcut: '/',
      run: () => field.current?.focus(),
    },
  ])
  useEffect(() => {
    if (pageId !== undefined) rememberPage(engagementId ?? organizationId, pageId)
  }, [pageId, engagementId, organizationId])
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const matching =
    words.length === 0 ? pages : pages.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)))
  const crumbOf = ({ id, title }: PageSummary) => ({ label: title, to: addressOf(id) })
  return (
    <TreeFrame
      label="Pages"
      isOpen={pageId !== undefined}
      tree={
        <>
          {mayWrite && <NewPage parentId={pageId} isAsked={isMaking} hasCommands />}
          {pages.length > 0 && (
            <TextInput
              ref={field}
              size="xs"
              aria-label="Filter the pages"
              placeholder="Filter pages"
              leftSection={<IconFilter size={14} aria-hidden />}
              rightSection={
                filter && <CloseButton size="xs" aria-label="Clear the filter" onClick={() => setFilter('')} />
              }
              value={filter}
              onChange={({ currentTarget }) => setFilter(currentTarget.value)}
              onKeyDown={({ key }) => key === 'Escape' && setFilter('')}
            />
          )}
          <QueryView query={tree}>
            {() =>
              matching.length === 0 && words.length > 0 ? (
                <Text size="sm" c="dimmed">
                  No page matches.
                </Text>
              ) : (
                <PageTree pages={matching} openId={pageId} />
              )
            }
          </QueryView>
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
            : [{ label: 'Wiki', to: `${home}?view=all` }, ...ancestorsOf(pages, pageId).map(crumbOf)]
        }
      >
        {children}
      </WithCrumbs>
    </TreeFrame>
  )
}
