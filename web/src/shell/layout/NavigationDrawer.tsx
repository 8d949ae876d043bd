import { Drawer } from '@mantine/core'
import { Sidebar, type SidebarKind } from '../sidebar/Sidebar.tsx'
import classes from './Shell.module.css'

/** The sidebar of phones. */
export const NavigationDrawer = ({
  kind,
  opened,
  onClose,
}: {
  kind: SidebarKind
  opened: boolean
  onClose: () => void
}) => (
  <Drawer
    opened={opened}
    onClose={onClose}
    title="Navigation"
    size={280}
    lockScroll={false}
    overlayProps={{ backgroundOpacity: 0.45 }}
    transitionProps={{ duration: 100 }}
    closeButtonProps={{ 'aria-label': 'Close navigation' }}
    classNames={{ body: classes.drawer as string, content: classes.drawerContent as string }}
    data-app-dialog
  >
    <Sidebar kind={kind} onNavigate={onClose} />
  </Drawer>
)
