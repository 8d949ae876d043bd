import { ActionIcon, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { type ReactNode, Suspense, useContext, useState } from 'react'
import { IconInfoCircle } from '../icons.tsx'
import { lazyPart } from '../load-part.ts'
import { AboveHeading } from './above-heading.ts'
import classes from './Page.module.css'

const Hint = lazyPart(() => import('../overlays/Hint.tsx'), 'Hint')

interface PageProps {
  title: string
  /** Title of the browser tab, if different from the heading. */
  documentTitle?: string
  /** What the page is for: behind the (i) next to the title. */
  description?: ReactNode
  /** Facts of the open object, in a line below the bar. */
  facts?: ReactNode
  /** Buttons at the right of the bar. */
  actions?: ReactNode
  /**
   * `text`: full width, prose at a readable length. `form`: one centred column. `list`: full width. `full`: full width
   * and window height, the content scrolls by itself. `split`: like full, in two columns.
   */
  layout?: 'text' | 'form' | 'list' | 'full' | 'split'
  children: ReactNode
}

/** A page below its bar: the breadcrumbs, whose last part is the title, and the actions. */
export const Page = ({ title, documentTitle, description, facts, actions, layout = 'text', children }: PageProps) => {
  useDocumentTitle(`${documentTitle ?? title} · Sortie`)
  return (
    <div className={classes.page} data-layout={layout}>
      <header className={classes.bar}>
        <div className={classes.place}>
          {useContext(AboveHeading)}
          <Title order={1} className={classes.title} title={title}>
            {title}
          </Title>
          {description && <About>{description}</About>}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </header>
      {facts && <div className={classes.facts}>{facts}</div>}
      {children}
    </div>
  )
}

const About = ({ children }: { children: ReactNode }) => {
  const [openedBy, setOpenedBy] = useState<HTMLElement>()
  return (
    <>
      <ActionIcon
        size="sm"
        aria-label="About this page"
        title="About this page"
        aria-haspopup="dialog"
        aria-expanded={openedBy !== undefined}
        onClick={({ currentTarget }) => setOpenedBy((before) => (before ? undefined : currentTarget))}
      >
        <IconInfoCircle size={15} aria-hidden />
      </ActionIcon>
      <Suspense>
        {openedBy && (
          <Hint button={openedBy} onClose={() => setOpenedBy(undefined)}>
            {children}
          </Hint>
        )}
      </Suspense>
    </>
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
