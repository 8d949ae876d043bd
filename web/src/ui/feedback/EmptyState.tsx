import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './EmptyState.module.css'

/** Empty list: what it will contain, and the first step. */
export const EmptyState = ({
  icon,
  title,
  children,
  action,
}: {
  icon?: ReactNode
  title: string
  children?: ReactNode
  action?: ReactNode
}) => (
  <div className={classes.empty}>
    {icon && (
      <div className={classes.icon} aria-hidden>
        {icon}
      </div>
    )}
    <Title order={2}>{title}</Title>
    {children && (
      <Text c="dimmed" size="sm" maw={440} component="div">
        {children}
      </Text>
    )}
    {action && (
      <div className={classes.action} data-empty-action>
        {action}
      </div>
    )}
  </div>
)
