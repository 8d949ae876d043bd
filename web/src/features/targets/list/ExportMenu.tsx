import { Button, Menu } from '@mantine/core'
import type { Input } from '@sortie/client/calls.ts'
import { call, linkTo, messageOf } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { DropdownMenu } from '../../../ui/dialogs/DropdownMenu.tsx'
import { IconDownload } from '../../../ui/icons.tsx'
import { IconCopy } from '../../../ui/page-icons.tsx'
import { toast, toastError } from '../../../ui/toasts/toast.ts'

type Filters = Omit<Input<'exportTargets'>['query'], 'format'>

const FORMATS = [
  { format: 'csv', label: 'CSV' },
  { format: 'json', label: 'JSON' },
  { format: 'txt', label: 'Text, one per line' },
] as const

/** Exports all rows of the list as a document or to the clipboard. @param filters of the list */
export const ExportMenu = ({ filters }: { filters: Filters }) => {
  const organization = useOrganization()
  const copy = async () => {
    try {
      const text = call(organization.id, 'exportTargets', { query: { ...filters, format: 'txt' } })
      // Passed as a promise: some browsers reject a clipboard write long after the click.
      await navigator.clipboard.write([
        new ClipboardItem({ 'text/plain': text.then((lines) => new Blob([lines], { type: 'text/plain' })) }),
      ])
      toast('Copied, one target per line.')
    } catch (error) {
      toastError(
        error instanceof DOMException
          ? 'The browser did not allow copying. Export the text instead.'
          : messageOf(error),
      )
    }
  }
  return (
    <DropdownMenu
      position="bottom-end"
      width={220}
      target={
        <Button variant="default" leftSection={<IconDownload size={14} aria-hidden />}>
          Export
        </Button>
      }
    >
      {FORMATS.map(({ format, label }) => (
        <Menu.Item
          key={format}
          component="a"
          href={linkTo(organization.id, 'exportTargets', { query: { ...filters, format } })}
          download
          leftSection={<IconDownload size={14} aria-hidden />}
        >
          {label}
        </Menu.Item>
      ))}
      <Menu.Item leftSection={<IconCopy size={14} aria-hidden />} onClick={() => void copy()}>
        Copy as scanner input
      </Menu.Item>
    </DropdownMenu>
  )
}
