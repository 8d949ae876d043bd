import { Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import classes from './CenteredPage.module.css'
import icon from './icon.svg'

/** A page outside the shell: sign-in, invitations, resets. */
export const CenteredPage = ({
  title,
  description,
  children,
  footer,
}: {
  title: string
  description?: ReactNode
  children?: ReactNode
  footer?: ReactNode
}) => {
  useDocumentTitle(`${title} · Sortie`)
  return (
    <main className={classes.outer}>
      <div className={classes.inner}>
        <img src={icon} alt="Sortie" width={36} height={36} />
        <div className={classes.heading}>
          <Title order={1}>{title}</Title>
          {description && (
            <Text c="dimmed" size="sm" component="div">
              {description}
            </Text>
          )}
        </div>
        {children}
        {footer && (
          <Text size="sm" c="dimmed" component="div">
            {footer}
          </Text>
        )}
      </div>
    </main>
  )
}
