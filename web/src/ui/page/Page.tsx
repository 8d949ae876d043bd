import { Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { type ReactNode, useContext } from 'react'
import { AboveHeading } from './above-heading.ts'
import classes from './Page.module.css'

interface PageProps {
  title: string
  /** Title of the browser tab, if different from the heading. */
  documentTitle?: string
  description?: ReactNode
  /** Buttons to the right of the heading. */
  actions?: ReactNode
  /**
   * `text`: limited line length for reading. `form`: narrower. `list`: full width. `full`: full width and window height, the
   * content scrolls by itself. `split`: like full, in two columns.
   */
  layout?: 'text' | 'form' | 'list' | 'full' | 'split'
  children: ReactNode
}

/** Heading, actions and content of one page. */
export const Page = ({ title, documentTitle, description, actions, layout = 'text', children }: PageProps) => {
  useDocumentTitle(`${documentTitle ?? title} · Sortie`)
  return (
    <div className={classes.page} data-layout={layout}>
      <header className={classes.header}>
        <div className={classes.heading}>
          {useContext(AboveHeading)}
          <Title order={1}>{title}</Title>
          {description && (
            <Text c="dimmed" size="sm" component="div">
              {description}
            </Text>
          )}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}

interface SectionProps {
  title: string
  description?: ReactNode
  actions?: ReactNode
  children?: ReactNode
}

/** A titled part of a page with a divider. */
export const Section = ({ title, description, actions, children }: SectionProps) => (
  <section className={classes.section}>
    <div className={classes.sectionHeader}>
      <div className={classes.heading}>
        <Title order={2}>{title}</Title>
        {description && (
          <Text c="dimmed" size="sm" component="div">
            {description}
          </Text>
        )}
      </div>
      {actions && <div className={classes.actions}>{actions}</div>}
    </div>
    {children}
  </section>
)
