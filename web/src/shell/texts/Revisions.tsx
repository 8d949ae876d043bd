import { Button } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'
import { rowsOf, ShowMore } from '../reads/parts.tsx'
import { QueryView } from '../reads/QueryView.tsx'
import classes from './revisions.module.css'

interface Revision {
  revision: number
  author: { name: string } | null
  createdAt: string
  /** Bytes. */
  size: number
}

interface RevisionsProps {
  /** Newest first, from `useParts`. */
  list: UseInfiniteQueryResult<{ pages: readonly { data: Revision[]; meta: { nextCursor: string | null } }[] }>
  /** The newest revision. */
  current: number
  /** @param before the preceding revision; undefined for the first */
  render: (revision: number, before: number | undefined) => ReactNode
}

/** History of a text: its revisions, and the changes of the chosen one. */
export const Revisions = ({ list, current, render }: RevisionsProps) => {
  const [chosen, setChosen] = useState<number>()
  return (
    <QueryView query={list}>
      {(read) => {
        const entries = rowsOf(read)
        const shown = chosen ?? entries[0]?.revision ?? current
        return (
          <div className={classes.history}>
            <div>
              <ul className={classes.entries}>
                {/* The changes of the last loaded revision are known only once its predecessor is loaded. */}
                {(list.hasNextPage ? entries.slice(0, -1) : entries).map(({ revision, author, createdAt, size }) => (
                  <li key={revision}>
                    <Button
                      fullWidth
                      justify="flex-start"
                      variant={shown === revision ? 'light' : 'subtle'}
                      aria-pressed={shown === revision}
                      onClick={() => setChosen(revision)}
                    >
                      <span>
                        <TimeAgo iso={createdAt} /> · {author?.name ?? 'API key'} · {size.toLocaleString('en')} bytes
                      </span>
                    </Button>
                  </li>
                ))}
              </ul>
              <ShowMore list={list} />
            </div>
            <section aria-label={`Revision ${shown}`} className={classes.revision}>
              {render(shown, entries[entries.findIndex(({ revision }) => revision === shown) + 1]?.revision)}
            </section>
          </div>
        )
      }}
    </QueryView>
  )
}
