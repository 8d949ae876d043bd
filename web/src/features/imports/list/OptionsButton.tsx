import { Button, Checkbox, Popover, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { DateTimeField } from '../../../ui/dates/DateField.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { IconAdjustments } from '../../../ui/page-icons.tsx'
import classes from '../imports.module.css'
import { describeOptions, type ImportOptions } from './import-options.ts'

interface OptionsProps {
  options: ImportOptions
  onChange: (options: ImportOptions) => void
}

/** Options for the next files. */
export const OptionsButton = ({ options, onChange }: OptionsProps) => {
  const count = describeOptions(options).length
  return (
    <Popover
      position="bottom-end"
      width={360}
      shadow="md"
      trapFocus
      returnFocus
      transitionProps={{ duration: 0 }}
      withinPortal
    >
      <Popover.Target>
        <Button variant="default" leftSection={<IconAdjustments size={14} aria-hidden />}>
          {count === 0 ? 'Options' : `Options (${count})`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.options}>
        <Fields options={options} onChange={onChange} />
      </Popover.Dropdown>
    </Popover>
  )
}

const Fields = ({ options, onChange }: OptionsProps) => {
  const organization = useOrganization()
  const formats = useQuery({ ...query(organization.id, 'listImportFormats'), staleTime: Number.POSITIVE_INFINITY })
  const change = (changes: Partial<ImportOptions>) => onChange({ ...options, ...changes })
  const isCsv = options.format === 'csv' || options.mapping !== ''
  return (
    <Stack gap="sm">
      <Choice
        label="Format"
        value={options.format}
        onChange={(chosen) => change({ format: chosen })}
        data={[
          { value: 'auto', label: 'Detect automatically' },
          ...(formats.data?.data.map(({ id, name }) => ({ value: id, label: name })) ?? []),
        ]}
      />
      {isCsv && (
        <TextInput
          label="Columns"
          description="For non-standard headers: column:field, separated by commas."
          placeholder="Finding:title,Risk:severity"
          maxLength={2_000}
          value={options.mapping}
          onChange={(event) => change({ mapping: event.currentTarget.value })}
        />
      )}
      <TextInput
        label="Tested address"
        description="For output that names no host, such as that of gobuster."
        placeholder="https://app.example.com/"
        maxLength={2_000}
        value={options.baseUrl}
        onChange={(event) => change({ baseUrl: event.currentTarget.value })}
      />
      <Checkbox
        label="Preview first"
        description="Counts what would change, and changes nothing until it is applied."
        checked={options.isPreview}
        onChange={(event) => change({ isPreview: event.currentTarget.checked })}
      />
      <Checkbox
        label="Full rescan"
        description="The file is complete for its hosts: results of this tool that it does not contain are gone."
        checked={options.isFullRescan}
        onChange={(event) => change({ isFullRescan: event.currentTarget.checked })}
      />
      <Checkbox
        label="Leave out what is out of scope"
        description="Otherwise it is imported and marked."
        checked={options.skipsOutOfScope}
        onChange={(event) => change({ skipsOutOfScope: event.currentTarget.checked })}
      />
      <DateTimeField
        label="Seen at"
        description="For older files: later results are kept as they are. If empty, now."
        value={options.seenAt}
        onChange={(seenAt) => change({ seenAt })}
      />
    </Stack>
  )
}
