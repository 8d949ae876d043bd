import { ActionIcon, Button, Checkbox, Group, Text } from '@mantine/core'
import { IconArrowUp } from '../../../ui/icons.tsx'
import { IconArrowDown } from '../../../ui/page-icons.tsx'
import type { Scanner, Step } from '../labels.ts'
import classes from '../scans.module.css'
import { optionFields } from './option-fields.ts'
import { OptionInput } from './OptionInput.tsx'
import { moved, reconWith, withOption, without } from './steps.ts'

interface ScannersFieldProps {
  /** Scanners of this instance. */
  scanners: readonly Scanner[]
  value: readonly Step[]
  onChange: (steps: Step[]) => void
}

/** Selects scanners, their order and their options. */
export const ScannersField = ({ scanners, value, onChange }: ScannersFieldProps) => {
  const chosen = value.flatMap((step) => scanners.filter(({ id }) => id === step.id))
  const others = scanners.filter(({ id }) => !value.some((step) => step.id === id))
  return (
    <fieldset className={classes.fieldset}>
      <legend>Scanners</legend>
      <Text size="sm" c="dimmed">
        Scanners run in order, each on what the earlier ones found.
      </Text>
      <Group gap="xs">
        <Button variant="default" size="compact-sm" onClick={() => onChange(reconWith(scanners))}>
          Recon
        </Button>
        <Button variant="default" size="compact-sm" disabled={value.length === 0} onClick={() => onChange([])}>
          None
        </Button>
      </Group>
      {[...chosen, ...others].map((scanner) => (
        <OneScanner key={scanner.id} scanner={scanner} steps={value} onChange={onChange} />
      ))}
    </fieldset>
  )
}

const OneScanner = ({
  scanner,
  steps,
  onChange,
}: {
  scanner: Scanner
  steps: readonly Step[]
  onChange: (steps: Step[]) => void
}) => {
  const { id, name, description, available, reason } = scanner
  const index = steps.findIndex((step) => step.id === id)
  const step = steps[index]
  const number = steps.length > 1 && step ? `${index + 1}. ` : ''
  return (
    <div className={classes.scanner} role="group" aria-label={name}>
      <div className={classes.scannerHead}>
        <Checkbox
          label={`${number}${name}`}
          description={
            available
              ? description
              : `${description} Not available here: ${reason ?? 'the operator has not set it up.'}`
          }
          checked={step !== undefined}
          disabled={!available && !step}
          onChange={({ currentTarget }) => onChange(currentTarget.checked ? [...steps, { id }] : without(steps, id))}
        />
        {step && steps.length > 1 && (
          <Group gap={2} wrap="nowrap">
            <ActionIcon
              aria-label={`Run ${name} earlier`}
              disabled={index === 0}
              onClick={() => onChange(moved(steps, index, -1))}
            >
              <IconArrowUp size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon
              aria-label={`Run ${name} later`}
              disabled={index === steps.length - 1}
              onClick={() => onChange(moved(steps, index, 1))}
            >
              <IconArrowDown size={16} aria-hidden />
            </ActionIcon>
          </Group>
        )}
      </div>
      {step && (
        <div className={classes.options}>
          {optionFields(scanner, step.options ?? {}).map((field) => (
            <OptionInput
              key={field.name}
              field={field}
              onChange={(option) => onChange(withOption(steps, index, field.name, option))}
            />
          ))}
        </div>
      )}
    </div>
  )
}
