import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { PlainLink, TextLink } from '../routing/links.tsx'
import classes from './parts.module.css'

interface PartProps<T> {
  title: string
  /** Address of the whole list. */
  all?: string
  of: { items: readonly T[]; total: number | null }
  to: (item: T) => string
  /** False: the rows are not counted in the heading. */
  isCounted?: boolean
  /** Shown without any; absent: the part is left out. */
  none?: string
  /** The title of a row, and the facts after it. */
  children: (item: T) => readonly [string, ...ReactNode[]]
}

/** The first rows of a list on a page of several: each is a link with its facts at the right. */
export const Part = <T extends { id: string }>({
  title,
  all,
  of: { items, total },
  to,
  none,
  isCounted = true,
  children,
}: PartProps<T>) => {
  if (items.length === 0 && none === undefined) return null
  return (
    <section className={classes.part} aria-label={title}>
      <PartHeading title={title} {...(isCounted && items.length > 0 && { count: total })} />
      {items.length === 0 && <p className={classes.none}>{none}</p>}
      {items.length > 0 && (
        <ul className={classes.rows}>
          {items.map((item) => {
            const [name, ...facts] = children(item)
            return (
              <li key={item.id}>
                <PlainLink to={to(item)} className={classes.row}>
                  <span className={classes.title} title={name}>
                    {name}
                  </span>
                  {/* oxlint-disable-next-line react/no-array-index-key -- a fact has no id, and no state */}
                  {facts.map((fact, index) => fact && <Fact key={`${item.id} ${index}`}>{fact}</Fact>)}
                </PlainLink>
              </li>
            )
          })}
        </ul>
      )}
      {total !== items.length && all && (
        <div className={classes.all}>
          <TextLink to={all}>Show all{total === null ? '' : ` ${total.toLocaleString('en')}`}</TextLink>
        </div>
      )}
    </section>
  )
}

const Fact = ({ children }: { children: ReactNode }) => <span className={classes.fact}>{children}</span>

/** @param count null above what the server counts */
export const PartHeading = ({ title, count }: { title: string; count?: number | null }) => (
  <Title order={2} size="h5" className={classes.heading}>
    {title}
    {count !== undefined && (
      <span className={classes.count}>{count === null ? 'more than 10,000' : count.toLocaleString('en')}</span>
    )}
  </Title>
)
