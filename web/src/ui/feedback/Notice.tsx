import { Button, Code, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Notice.module.css'

/** Message in place of a page or section: why it is empty, and what to do. */
export const Notice = ({
  title,
  children,
  actions,
  requestId,
}: {
  title: string
  children?: ReactNode
  actions?: ReactNode
  requestId?: string | undefined
}) => (
  <div className={classes.notice} role="alert">
    <Title order={1}>{title}</Title>
    <Text c="dimmed" size="sm" component="div" maw={460}>
      {children}
    </Text>
    {requestId && (
      <Text size="xs" c="dimmed">
        Request id for the operator: <Code>{requestId}</Code>
      </Text>
    )}
    {actions && <div className={classes.actions}>{actions}</div>}
  </div>
)

/** A list or section that could not be loaded. */
export const LoadFailed = ({
  message,
  requestId,
  onRetry,
}: {
  message: string
  requestId?: string | undefined
  onRetry: () => void
}) => (
  <Notice
    title="This could not be loaded"
    requestId={requestId}
    actions={
      <Button variant="default" onClick={onRetry}>
        Try again
      </Button>
    }
  >
    {message}
  </Notice>
)
