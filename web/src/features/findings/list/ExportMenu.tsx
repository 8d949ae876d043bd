import { Button, Menu } from '@mantine/core'
import { linkTo } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { DropdownMenu } from '../../../ui/dialogs/DropdownMenu.tsx'
import { IconDownload } from '../../../ui/icons.tsx'

const FORMATS = [
  ['csv', 'CSV'],
  ['json', 'JSON'],
  ['sarif', 'SARIF'],
  ['jira-csv', 'CSV for Jira'],
] as const

/** Downloads all findings of the engagement with their texts and assets. */
export const ExportMenu = ({ engagementId }: { engagementId: string }) => {
  const organization = useOrganization()
  return (
    <DropdownMenu
      position="bottom-end"
      target={
        <Button variant="default" leftSection={<IconDownload size={14} aria-hidden />}>
          Export
        </Button>
      }
    >
      {FORMATS.map(([format, label]) => (
        <Menu.Item
          key={format}
          component="a"
          href={linkTo(organization.id, 'exportFindings', { query: { engagementId, format } })}
          download
        >
          {label}
        </Menu.Item>
      ))}
    </DropdownMenu>
  )
}
