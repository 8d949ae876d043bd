import { UnstyledButton } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { PlainLink } from '../../../shell/routing/links.tsx'
import { IconChevronRight } from '../../../ui/page-icons.tsx'
import { type RequestFolder, type RequestSummary, usePlace } from '../place.tsx'
import classes from '../requests.module.css'
import { Method } from './Method.tsx'
import { type Branch, branchesOf, requestsIn } from './tree.ts'
import { useDraggedRequest, useDropFolder } from './use-drag.ts'

interface TreeProps {
  folders: readonly RequestFolder[]
  requests: readonly RequestSummary[]
  /** Library folders have no page within an engagement. */
  hasFolderPages?: boolean
}

/** Collapsible folders with their requests. */
export const Tree = ({ folders, requests, hasFolderPages = true }: TreeProps) => {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string) =>
    setClosed((before) =>
      before.has(id) ? new Set([...before].filter((other) => other !== id)) : new Set([...before, id]),
    )
  const { mayWrite } = usePlace()
  const isMovable = mayWrite && hasFolderPages
  const root = { branches: branchesOf(folders, requests), requests: requestsIn(requests, null) }
  return (
    <Root isMovable={isMovable}>
      <Level {...root} closed={closed} onToggle={toggle} hasFolderPages={hasFolderPages} isMovable={isMovable} />
    </Root>
  )
}

interface LevelProps {
  branches: readonly Branch[]
  requests: readonly RequestSummary[]
  closed: ReadonlySet<string>
  onToggle: (folderId: string) => void
  hasFolderPages: boolean
  /** Requests can be dragged into folders. */
  isMovable: boolean
}

const Level = ({ branches, requests, ...tree }: LevelProps) => {
  const { addressOf } = usePlace()
  const { closed, onToggle, hasFolderPages, isMovable } = tree
  return (
    <ul className={classes.entries}>
      {branches.map(({ folder, branches: inner, requests: own }) => (
        <Folder key={folder.id} folderId={folder.id} isMovable={isMovable}>
          <div className={classes.folder}>
            <UnstyledButton
              className={classes.toggle}
              aria-expanded={!closed.has(folder.id)}
              aria-label={`Contents of ${folder.name}`}
              onClick={() => onToggle(folder.id)}
            >
              <IconChevronRight size={14} aria-hidden />
            </UnstyledButton>
            {hasFolderPages ? (
              <PlainLink to={addressOf(folder.id)} className={classes.entryLink} isExact>
                {folder.name}
              </PlainLink>
            ) : (
              <span className={classes.entryLink}>{folder.name}</span>
            )}
          </div>
          {!closed.has(folder.id) && <Level branches={inner} requests={own} {...tree} />}
        </Folder>
      ))}
      {requests.map((request) => (
        <Request key={request.id} request={request} isMovable={isMovable} />
      ))}
    </ul>
  )
}

/** Dropping a request between the folders moves it to the top. */
const Root = ({ isMovable, children }: { isMovable: boolean; children: ReactNode }) => {
  const element = useRef<HTMLDivElement>(null)
  const isOver = useDropFolder(element, null, isMovable)
  return (
    <div ref={element} className={classes.root} data-drop={isOver || undefined}>
      {children}
    </div>
  )
}

const Folder = ({ folderId, isMovable, children }: { folderId: string; isMovable: boolean; children: ReactNode }) => {
  const element = useRef<HTMLLIElement>(null)
  const isOver = useDropFolder(element, folderId, isMovable)
  return (
    <li ref={element} data-drop={isOver || undefined}>
      {children}
    </li>
  )
}

const Request = ({ request, isMovable }: { request: RequestSummary; isMovable: boolean }) => {
  const { addressOf } = usePlace()
  const element = useRef<HTMLLIElement>(null)
  const isDragged = useDraggedRequest(element, request, isMovable)
  const { id, name, method } = request
  return (
    <li ref={element} data-dragged={isDragged || undefined}>
      <PlainLink to={addressOf(id)} className={classes.entryLink} isExact>
        <Method method={method} />
        {name}
      </PlainLink>
    </li>
  )
}
