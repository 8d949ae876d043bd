import { Anchor, Button, type ButtonProps } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { MouseEventHandler, ReactNode } from 'react'

interface TextLinkProps {
  to: string
  children: ReactNode
  className?: string
  /** The page below stays as it is: its filters are in the new address, too. */
  keepsSearch?: boolean
}

/** A link inside text. */
export const TextLink = ({ to, children, className, keepsSearch = false }: TextLinkProps) => (
  <Anchor
    component={Link}
    to={to}
    inherit
    underline={className ? 'hover' : 'always'}
    {...(className && { className })}
    {...(keepsSearch && { search: true })}
  >
    {children}
  </Anchor>
)

interface PlainLinkProps {
  to: string
  children: ReactNode
  className?: string | undefined
  /** Marked as current on its own page only, not on subpages. */
  isExact?: boolean
  /** Search params. */
  search?: Record<string, string | true>
  /** Fragment: the part of the page to show. */
  hash?: string
  /** Tooltip with the shortcut keys. */
  hint?: string
  onClick?: () => void
}

/** An unstyled link. Exposes `aria-current` on its own page. */
export const PlainLink = ({
  to,
  children,
  className,
  isExact = false,
  search,
  hash,
  hint,
  onClick,
}: PlainLinkProps) => (
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
  /** Name by which the opened page returns focus. */
  focusName?: string
  onClick?: MouseEventHandler<HTMLAnchorElement>
  children: ReactNode
}

/** A link styled as a button. */
export const ButtonLink = ({ to, focusName, children, ...props }: ButtonLinkProps) => (
  <Button component={Link} to={to} data-focus={focusName} {...props}>
    {children}
  </Button>
)
