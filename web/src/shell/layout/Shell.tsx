import { ActionIcon } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { IconMenu2, IconSearch } from '../../ui/icons.tsx'
import { lazyPart } from '../../ui/load-part.ts'
import { useOverlaysAfterFirstPage } from '../../ui/overlays/overlays.ts'
import { InMainProvider } from '../../ui/page/in-main.ts'
import { CommandPalette } from '../palette/CommandPalette.tsx'
import { openPalette } from '../palette/open-palette.ts'
import { ShellCommands } from '../palette/ShellCommands.tsx'
import { InboxLink } from '../sidebar/InboxLink.tsx'
import { Sidebar, type SidebarKind } from '../sidebar/Sidebar.tsx'
import { BottomBar } from './BottomBar.tsx'
import classes from './Shell.module.css'

const NavigationDrawer = lazyPart(() => import('./NavigationDrawer.tsx'), 'NavigationDrawer')

/** Navigation on the left, page on the right; on phones a button opens the navigation. */
export const Shell = ({ kind, title, children }: { kind: SidebarKind; title: string; children: ReactNode }) => {
  const [opened, drawer] = useDisclosure(false)
  const isDrawerUsed = useOnce(opened)
  useOverlaysAfterFirstPage()
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Without this, the browser would continue from the removed element: Tab starts at the top.
    if (document.activeElement !== document.body) return
    top.current?.focus({ preventScroll: true })
    top.current?.blur()
  }, [])
  return (
    <div ref={top} tabIndex={-1} className={classes.shell} {...(typeof kind === 'object' && { 'data-with-bar': true })}>
      <a className={classes.skip} href="#content">
        Skip to the content
      </a>
      <aside className={classes.sidebar} aria-label="Navigation">
        <Sidebar kind={kind} />
      </aside>
      <header className={classes.topbar}>
        <ActionIcon size="lg" aria-label="Open navigation" onClick={drawer.open}>
          <IconMenu2 size={20} aria-hidden />
        </ActionIcon>
        <span className={classes.title}>{title}</span>
        <InboxLink />
        <ActionIcon size="lg" aria-label="Search or go to" onClick={openPalette}>
          <IconSearch size={18} aria-hidden />
        </ActionIcon>
      </header>
      <Suspense>{isDrawerUsed && <NavigationDrawer kind={kind} opened={opened} onClose={drawer.close} />}</Suspense>
      <main id="content" className={classes.content} tabIndex={-1}>
        <InMainProvider value>{children}</InMainProvider>
      </main>
      {typeof kind === 'object' && <BottomBar engagementId={kind.engagementId} onMore={drawer.open} />}
      <CommandPalette />
      <ShellCommands kind={kind} />
    </div>
  )
}

/** True from the first time on that `value` is. */
const useOnce = (value: boolean): boolean => {
  const [was, setWas] = useState(value)
  if (value && !was) setWas(true)
  return was || value
}
