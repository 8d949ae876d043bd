import { Anchor, Button, type ButtonProps } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { MouseEventHandler, ReactNode } from 'react'

/** A link inside text. */
export const TextLink = ({ to, children, className }: { to: string; children: ReactNode; className?: string }) => (
  <Anchor component={Link} to={to} inherit underline={className ? 'hover' : 'always'} {...(className && { className })}>
    {children}
  </Anchor>
)

interface PlainLinkProps {
  to: string
  children: ReactNode
  className?: string | undefined
  /** Marked on its own page alone, not on those below it. */
  isExact?: boolean
  /** What the address says after `?`. */
  search?: Record<string, string | true>
  /** The part of the page to show. */
  hash?: string
  /** Shown on hover: its keys. */
  hint?: string
  onClick?: () => void
}

/** A link without an own look. It says when it leads to where one is. */
export const PlainLink = ({ to, children, className, isExact = false, search, hash, hint, onClick }: PlainLinkProps) => (
  <Link
    to={to}
    className={className}
    title={hint}
    {...(search && { search: search as never })}
    {...(hash !== undefined && { hash })}
    activeOptions={{ exact: isExact, includeSearch: false }}
    activeProps={{ 'data-active': true, 'aria-current': 'page' }}
    {...(onClick && { onClick })}
  >
    {children}
  </Link>
)

interface ButtonLinkProps extends ButtonProps {
  to: string
  /** By which a page that it opened gives the focus back. */
  focusName?: string
  onClick?: MouseEventHandler<HTMLAnchorElement>
  children: ReactNode
}

/** A link that looks like a button. */
export const ButtonLink = ({ to, focusName, children, ...props }: ButtonLinkProps) => (
  <Button component={Link} to={to} data-focus={focusName} {...props}>
    {children}
  </Button>
)
