import { useDisclosure } from '@mantine/hooks'
import { useRouter } from '@tanstack/react-router'
import { Suspense } from 'react'
import { type Command, useShortcuts, useRegisteredCommands } from '../../ui/commands/commands.ts'
import { useKeyBindings } from '../../ui/commands/use-shortcuts.ts'
import { useUndoKey } from '../../ui/commands/use-undo-key.ts'
import { IconKeyboard } from '../../ui/icons.tsx'
import { lazyPart } from '../../ui/load-part.ts'
import { useFeatures } from '../context/features.ts'
import { useMaybeOrganization } from '../context/organization.tsx'
import { destinations } from '../sidebar/navigation.ts'
import type { SidebarKind } from '../sidebar/Sidebar.tsx'

const KeySheet = lazyPart(() => import('./KeySheet.tsx'), 'KeySheet')

/** Keys that work on every page: `G` and a letter for the sidebar's links, `?` for the shortcut sheet. */
export const ShellCommands = ({ kind }: { kind: SidebarKind }) => {
  const router = useRouter()
  const organization = useMaybeOrganization()
  const features = useFeatures()
  const [opened, sheet] = useDisclosure(false)
  const links = [
    ...(organization ? destinations(features, 'work', organization) : []),
    ...(organization && typeof kind === 'object'
      ? destinations(features, 'engagement', organization, kind.engagementId)
      : []),
  ]
  useShortcuts([
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
    { id: 'undo', label: 'Undo the last change of a list', group: 'Anywhere', shortcut: 'Ctrl Z' },
    {
      id: 'keys',
      label: 'Keyboard shortcuts',
      group: 'Anywhere',
      icon: IconKeyboard,
      keywords: 'keys help hotkeys',
      shortcut: '?',
      run: sheet.open,
    },
  ])
  useUndoKey()
  const commands = useRegisteredCommands()
  useKeyBindings(new Map(commands.flatMap(({ shortcut, run }) => (shortcut && run ? [[shortcut, run] as const] : []))))
  return <Suspense>{opened && <KeySheet onClose={sheet.close} commands={commands} />}</Suspense>
}
