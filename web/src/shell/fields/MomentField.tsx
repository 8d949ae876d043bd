import { Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../api/api.ts'
import { DateTimeField } from '../../ui/dates/DateField.tsx'
import { formatTime } from '../../ui/dates/dates.ts'
import { Choice } from '../../ui/fields/Choice.tsx'
import { fromLocalTime, isTime, SPOKEN_LABELS, SPOKEN_MOMENTS, toLocalTime } from '../../ui/values/moments.ts'
import { useOrganization } from '../context/organization.tsx'

interface MomentFieldProps {
  label: string
  engagementId: string
  /** A word, a time in UTC, or the id of an import or scan; empty: now, if allowed. */
  value: string
  onChange: (moment: string) => void
  allowsNow?: boolean
}

const SHOWN = 20
const TIME = 'time'

/** A moment of the inventory: a day, a time, or the end of an import or scan. */
export const MomentField = ({ label, engagementId, value, onChange, allowsNow = false }: MomentFieldProps) => {
  const organization = useOrganization()
  const where = { query: { engagementId, perPage: SHOWN } }
  const imports = useQuery(query(organization.id, 'listImports', where))
  const scans = useQuery(query(organization.id, 'listScans', where))
  const sources = [
    {
      group: 'Right after an import',
      items: imports.data?.data.map(({ id, fileName, createdAt }) => option(id, fileName, createdAt)) ?? [],
    },
    {
      group: 'Right after a scan',
      items: scans.data?.data.map(({ id, name, createdAt }) => option(id, name, createdAt)) ?? [],
    },
  ]
  const isAtTime = isTime(value)
  const isListed =
    isAtTime || !value.includes('_') || sources.some(({ items }) => items.some((item) => item.value === value))
  return (
    <Group gap="xs" align="flex-end">
      <Choice
        label={label}
        value={isAtTime ? TIME : value}
        onChange={(chosen) => onChange(chosen === TIME ? new Date().toISOString() : chosen)}
        data={[
          ...(allowsNow ? [{ value: '', label: 'Now' }] : []),
          ...SPOKEN_MOMENTS.map((word) => ({ value: word, label: SPOKEN_LABELS[word] })),
          { value: TIME, label: 'A time' },
          ...(isListed ? [] : [{ value, label: value.startsWith('scn_') ? 'An older scan' : 'An older import' }]),
          ...sources.filter(({ items }) => items.length > 0),
        ]}
      />
      {isAtTime && (
        <DateTimeField
          aria-label={`${label}: time`}
          value={toLocalTime(value)}
          onChange={(local) => {
            const time = fromLocalTime(local)
            if (time !== undefined) onChange(time)
          }}
        />
      )}
    </Group>
  )
}

const option = (value: string, name: string, createdAt: string) => ({
  value,
  label: `${name}, ${formatTime(createdAt)}`,
})
