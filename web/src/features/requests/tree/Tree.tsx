import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { PlainLink } from '../../../shell/routing/links.tsx'
import { IconChevronRight } from '../../../ui/icons.tsx'
import { type RequestFolder, type RequestSummary, usePlace } from '../place.tsx'
import classes from '../requests.module.css'
import { Method } from './Method.tsx'
import { type Branch, branchesOf, requestsIn } from './tree.ts'

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
  const root = { branches: branchesOf(folders, requests), requests: requestsIn(requests, null) }
  return <Level {...root} closed={closed} onToggle={toggle} hasFolderPages={hasFolderPages} />
}

interface LevelProps {
  branches: readonly Branch[]
  requests: readonly RequestSummary[]
  closed: ReadonlySet<string>
  onToggle: (folderId: string) => void
  hasFolderPages: boolean
}

const Level = ({ branches, requests, ...tree }: LevelProps) => {
  const { addressOf } = usePlace()
  const { closed, onToggle, hasFolderPages } = tree
  return (
    <ul className={classes.entries}>
      {branches.map(({ folder, branches: inner, requests: own }) => (
        <li key={folder.id}>
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
        </li>
      ))}
      {requests.map(({ id, name, method }) => (
        <li key={id}>
          <PlainLink to={addressOf(id)} className={classes.entryLink} isExact>
            <Method method={method} />
            {name}
          </PlainLink>
        </li>
      ))}
    </ul>
  )
}
