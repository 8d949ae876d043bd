import { SegmentedControl } from '@mantine/core'

/** Single choice above a list. */
export const FilterTabs = <V extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: V
  options: readonly { value: V; label: string }[]
  onChange: (value: V) => void
}) => (
  <SegmentedControl
    aria-label={label}
    size="xs"
    value={value}
    data={options.map((option) => ({ ...option }))}
    onChange={(next) => onChange(next)}
    transitionDuration={0}
    withItemsBorders={false}
  />
)
