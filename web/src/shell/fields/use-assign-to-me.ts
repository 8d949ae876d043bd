import { useShortcuts } from '../../ui/commands/commands.ts'
import { IconUser } from '../../ui/icons.tsx'
import { useAccount } from '../context/session.tsx'

interface AssignToMe {
  /** Of the command: what registers it later under the same id takes its place. */
  id: 'task-mine' | 'triage-mine' | 'finding-mine'
  label?: string
  group: string
  isOffered?: boolean
  onAssign: (userId: string) => void
}

/** I assigns to the user without a menu. */
export const useAssignToMe = ({ id, label = 'Assign to me', group, isOffered = true, onAssign }: AssignToMe): void => {
  const self = useAccount()
  useShortcuts(isOffered ? [{ id, label, group, icon: IconUser, shortcut: 'i', run: () => onAssign(self.id) }] : [])
}
