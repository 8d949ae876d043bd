import type { ReactNode } from 'react'
import classes from './Properties.module.css'

/** Names and values, one below the other. */
export const Properties = ({ items }: { items: readonly (readonly [string, ReactNode])[] }) => (
  <dl className={classes.list}>
    {items.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
