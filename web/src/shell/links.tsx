import { Anchor, Button, type ButtonProps } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** A link inside text. */
export const TextLink = ({ to, children, className }: { to: string; children: ReactNode; className?: string }) => (
  <Anchor component={Link} to={to} inherit underline={className ? 'hover' : 'always'} {...(className && { className })}>
    {children}
  </Anchor>
)

/** A link without an own look. */
export const PlainLink = ({ to, children, className, onClick }: { to: string; children: ReactNode; className?: string | undefined; onClick?: () => void }) => (
  <Link
    to={to}
    className={className}
    activeOptions={{ exact: false }}
    activeProps={{ 'data-active': true, 'aria-current': 'page' }}
    {...(onClick && { onClick })}
  >
    {children}
  </Link>
)

/** A link that looks like a button. */
export const ButtonLink = ({ to, children, ...props }: ButtonProps & { to: string; children: ReactNode }) => (
  <Button component={Link} to={to} {...props}>
    {children}
  </Button>
)
