import { useDisclosure } from '@mantine/hooks'
import { useRouter } from '@tanstack/react-router'
import { type Command, useCommands, useRegisteredCommands } from '../ui/commands.ts'
import { IconKeyboard } from '../ui/icons.tsx'
import { useShortcuts } from '../ui/use-shortcuts.ts'
import { KeySheet } from './KeySheet.tsx'
import { destinations } from './navigation.ts'
import { useMaybeOrganization } from './organization.tsx'
import type { SidebarKind } from './Sidebar.tsx'

/** The keys that work on every page: `G` and a letter for where the sidebar leads, `?` for the sheet of all of them. */
export const ShellCommands = ({ kind }: { kind: SidebarKind }) => {
  const router = useRouter()
  const organization = useMaybeOrganization()
  const [opened, sheet] = useDisclosure(false)
  const links = [
    ...(organization ? destinations('work', organization) : []),
    ...(organization && typeof kind === 'object' ? destinations('engagement', organization, kind.engagementId) : []),
  ]
  useCommands([
    ...links
      .filter(({ key }) => key !== undefined)
      .map(({ label, icon, to, key = '' }): Command => ({
        id: to,
        label,
        group: 'Go to',
        icon,
        shortcut: `g ${key.toLowerCase()}`,
        run: () => void router.navigate({ href: to }),
      })),
    { id: 'palette', label: 'Search or go to', group: 'Anywhere', shortcut: 'Ctrl K' },
    { id: 'keys', label: 'Keyboard shortcuts', group: 'Anywhere', icon: IconKeyboard, keywords: 'keys help hotkeys', shortcut: '?', run: sheet.open },
  ])
  const commands = useRegisteredCommands()
  useShortcuts(new Map(commands.flatMap(({ shortcut, run }) => (shortcut && run ? [[shortcut, run] as const] : []))))
  return <KeySheet opened={opened} onClose={sheet.close} commands={commands} />
}
