import { Kbd, Text, UnstyledButton } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { IconSearch } from '../ui/icons.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import { InboxLink } from './InboxLink.tsx'
import { PlainLink } from './links.tsx'
import type { Destination } from './navigation.ts'
import { openPalette } from './palette/open-palette.ts'
import { useAccount } from './session.tsx'
import classes from './Sidebar.module.css'

export interface SidebarGroup {
  /** Empty for a group that needs none. */
  title: string
  links: readonly Destination[]
}

interface SidebarFrameProps {
  groups: readonly SidebarGroup[]
  onNavigate?: () => void
  /** Above the search: where one is. */
  children: ReactNode
}

/** What all sidebars have: search, inbox (on phones it is beside the button that opens them), links in groups, the account. The link of the open page is in view. */
export const SidebarFrame = ({ groups, onNavigate, children }: SidebarFrameProps) => {
  const account = useAccount()
  const nav = useRef<HTMLElement>(null)
  const pathname = useLocation({ select: (location) => location.pathname })
  useEffect(() => {
    nav.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' })
  }, [pathname])
  const all = groups.flatMap(({ links }) => links)
  return (
    <div className={classes.sidebar}>
      {children}
      <div className={classes.top}>
        <UnstyledButton
          className={classes.search}
          onClick={() => {
            onNavigate?.()
            openPalette()
          }}
        >
          <IconSearch size={15} aria-hidden />
          <span>Search</span>
          <Kbd size="xs" aria-hidden>
            Ctrl K
          </Kbd>
        </UnstyledButton>
        {!onNavigate && <InboxLink />}
      </div>
      <div className={classes.scroll}>
        <nav ref={nav} aria-label="Main">
          {groups.map(({ title, links }, index) => (
            <div key={title || index} className={classes.group}>
              {title && (
                <Text className={classes.groupTitle} size="xs" c="dimmed" truncate>
                  {title}
                </Text>
              )}
              <ul>
                {links.map((link) => (
                  <li key={link.to}>
                    <SidebarLink link={link} isExact={all.some(({ to }) => to.startsWith(`${link.to}/`))} {...(onNavigate && { onNavigate })} />
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      </div>
      <AccountMenu account={account} />
    </div>
  )
}

const SidebarLink = ({ link, isExact, onNavigate }: { link: Destination; isExact: boolean; onNavigate?: () => void }) => {
  const content = (
    <>
      <link.icon size={16} stroke={1.7} aria-hidden />
      {link.label}
    </>
  )
  if (link.isExternal) {
    return (
      <a href={link.to} className={classes.item} target="_blank" rel="noreferrer">
        {content}
      </a>
    )
  }
  return (
    <PlainLink
      to={link.to}
      className={classes.item}
      isExact={isExact}
      {...(link.key && { hint: `${link.label} (G ${link.key})` })}
      {...(onNavigate && { onClick: onNavigate })}
    >
      {content}
    </PlainLink>
  )
}
