import { Menu, Text } from '@mantine/core'
import { DangerItem } from '../../ui/dialogs/DropdownMenu.tsx'
import { IconBookmark, IconRefresh, IconUsers } from '../../ui/icons.tsx'
import { IconCheck, IconDeviceFloppy, IconPencil, IconTrash } from '../../ui/page-icons.tsx'
import { useAccount } from '../context/session.tsx'
import type { OpenedView } from './opened-view.ts'
import type { View } from './view-search.ts'

interface ViewItemsProps {
  views: readonly View[]
  /** The view that is shown unchanged. */
  active: View | undefined
  /** The view that was chosen last. */
  chosen: View | undefined
  mayChange: boolean
  onApply: (view: View) => void
  onUpdate: (view: View) => void
  onOpen: (opened: OpenedView) => void
}

/** Items of the menu of saved views. */
export const ViewItems = ({ views, active, chosen, mayChange, onApply, onUpdate, onOpen }: ViewItemsProps) => {
  const { id: userId } = useAccount()
  return (
    <>
      <Menu.Label>Saved views</Menu.Label>
      {views.length === 0 && (
        <Text size="xs" c="dimmed" px="sm" pb="xs">
          Filter and sort the list, then save it as a view, for you or for everyone who sees it.
        </Text>
      )}
      {views.map((view) => (
        <Menu.Item
          key={view.id}
          onClick={() => onApply(view)}
          leftSection={
            view === active ? <IconCheck size={14} aria-label="shown" /> : <IconBookmark size={14} aria-hidden />
          }
          rightSection={
            view.shared && (
              <IconUsers size={14} aria-label={view.owner.id === userId ? 'shared' : `shared by ${view.owner.name}`} />
            )
          }
        >
          {view.name}
        </Menu.Item>
      ))}
      <Menu.Divider />
      {chosen && !active && mayChange && (
        <Menu.Item leftSection={<IconRefresh size={14} aria-hidden />} onClick={() => onUpdate(chosen)}>
          Update “{chosen.name}”
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconDeviceFloppy size={14} aria-hidden />} onClick={() => onOpen({ what: 'save' })}>
        Save as a new view
      </Menu.Item>
      {chosen && mayChange && (
        <>
          <Menu.Item
            leftSection={<IconPencil size={14} aria-hidden />}
            onClick={() => onOpen({ what: 'rename', view: chosen })}
          >
            Rename or share “{chosen.name}”
          </Menu.Item>
          <DangerItem
            leftSection={<IconTrash size={14} aria-hidden />}
            onClick={() => onOpen({ what: 'delete', view: chosen })}
          >
            Delete “{chosen.name}”
          </DangerItem>
        </>
      )}
    </>
  )
}
