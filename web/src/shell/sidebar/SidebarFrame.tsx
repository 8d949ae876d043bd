import { Kbd, Text, UnstyledButton } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { IconSearch } from '../../ui/icons.tsx'
import { useAccount } from '../context/session.tsx'
import { openPalette } from '../palette/open-palette.ts'
import { PlainLink } from '../routing/links.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import { InboxLink } from './InboxLink.tsx'
import type { Destination } from './navigation.ts'
import classes from './Sidebar.module.css'

export interface SidebarGroup {
  /** Empty for a group without a heading. */
  title: string
  links: readonly Destination[]
}

interface SidebarFrameProps {
  groups: readonly SidebarGroup[]
  onNavigate?: () => void
  /** Above the search: the current location. */
  children: ReactNode
}

/**
 * Common parts of all sidebars: search, inbox (on phones next to the menu button), grouped links, account. Scrolls to
 * the link of the open page.
 */
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
                    <SidebarLink
                      link={link}
                      isExact={all.some(({ to }) => to.startsWith(`${link.to}/`))}
                      {...(onNavigate && { onNavigate })}
                    />
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

const SidebarLink = ({
  link,
  isExact,
  onNavigate,
}: {
  link: Destination
  isExact: boolean
  onNavigate?: () => void
}) => {
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
