import { UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { PlainLink } from '../../shell/links.tsx'
import { Method } from './Method.tsx'
import { type RequestFolder, type RequestSummary, usePlace } from './place.tsx'
import classes from './requests.module.css'
import { type Branch, branchesOf, requestsIn } from './tree.ts'

/** Folders, closed by a click, and the requests in them. */
export const Tree = ({ folders, requests }: { folders: readonly RequestFolder[]; requests: readonly RequestSummary[] }) => {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string) => setClosed((before) => (before.has(id) ? new Set([...before].filter((other) => other !== id)) : new Set([...before, id])))
  return <Level branches={branchesOf(folders, requests)} requests={requestsIn(requests, null)} closed={closed} onToggle={toggle} />
}

interface LevelProps {
  branches: readonly Branch[]
  requests: readonly RequestSummary[]
  closed: ReadonlySet<string>
  onToggle: (folderId: string) => void
}

const Level = ({ branches, requests, closed, onToggle }: LevelProps) => {
  const { addressOf } = usePlace()
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
            <PlainLink to={addressOf(folder.id)} className={classes.entryLink} isExact>
              {folder.name}
            </PlainLink>
          </div>
          {!closed.has(folder.id) && <Level branches={inner} requests={own} closed={closed} onToggle={onToggle} />}
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
