import { Button, Menu } from '@mantine/core'
import { linkTo } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { DropdownMenu } from '../../../ui/dialogs/DropdownMenu.tsx'
import { IconDownload } from '../../../ui/icons.tsx'

/** Downloads the organization's own entries. */
export const ExportMenu = () => {
  const { id } = useOrganization()
  return (
    <DropdownMenu
      position="bottom-end"
      target={
        <Button variant="default" leftSection={<IconDownload size={14} aria-hidden />}>
          Export
        </Button>
      }
    >
      {(['json', 'csv'] as const).map((format) => (
        <Menu.Item key={format} component="a" href={linkTo(id, 'exportLibraryEntries', { query: { format } })} download>
          {format.toUpperCase()}
        </Menu.Item>
      ))}
    </DropdownMenu>
  )
}
