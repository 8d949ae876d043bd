import { ActionIcon, Checkbox, Group, Text } from '@mantine/core'
import { FINDING_PARTS } from '@sortie/contract/reports/report-data.ts'
import { IconArrowUp } from '../../../../ui/icons.tsx'
import { IconArrowDown } from '../../../../ui/page-icons.tsx'
import classes from '../../report-templates.module.css'
import { PART_LABELS } from './template-form.ts'

interface FindingPartsProps {
  /** Shown parts in their order. */
  value: readonly string[]
  onChange: (parts: string[]) => void
}

/** What a finding shows, and in which order. */
export const FindingParts = ({ value, onChange }: FindingPartsProps) => {
  const hidden = FINDING_PARTS.filter((part) => !value.includes(part))
  const move = (part: string, by: 1 | -1) => {
    const at = value.indexOf(part)
    const others = value.filter((each) => each !== part)
    onChange(others.toSpliced(at + by, 0, part))
  }
  return (
    <div>
      <Text size="xs" c="dimmed" mb={6}>
        What a finding shows, in this order
      </Text>
      <ol className={classes.parts} aria-label="Parts of a finding">
        {[...value, ...hidden].map((part) => {
          const label = PART_LABELS[part as keyof typeof PART_LABELS] ?? part
          const at = value.indexOf(part)
          const isShown = at >= 0
          return (
            <li key={part}>
              <Checkbox
                label={label}
                checked={isShown}
                onChange={() => onChange(isShown ? value.filter((each) => each !== part) : [...value, part])}
              />
              <Group gap={2}>
                <ActionIcon
                  size={26}
                  aria-label={`Move ${label} up`}
                  disabled={!isShown || at === 0}
                  onClick={() => move(part, -1)}
                >
                  <IconArrowUp size={14} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  size={26}
                  aria-label={`Move ${label} down`}
                  disabled={!isShown || at === value.length - 1}
                  onClick={() => move(part, 1)}
                >
                  <IconArrowDown size={14} aria-hidden />
                </ActionIcon>
              </Group>
            </li>
          )
        })}
      </ol>
    </div>
  )
}
