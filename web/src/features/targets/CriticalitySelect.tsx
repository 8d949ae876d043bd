import { CRITICALITIES } from '@sortie/contract/inventory/targets.ts'
import { Choice, type ChoiceProps } from '../../ui/fields/Choice.tsx'
import { CRITICALITY_LABELS } from './labels.ts'

const OPTIONS = CRITICALITIES.map((value) => ({ value, label: CRITICALITY_LABELS[value] }))

/** @param unchanged label of the empty option, if it may be chosen */
export const CriticalitySelect = ({
  unchanged,
  ...props
}: Omit<ChoiceProps<string>, 'data' | 'label'> & { unchanged?: string }) => (
  <Choice
    label="Criticality"
    data={unchanged === undefined ? OPTIONS : [{ value: '', label: unchanged }, ...OPTIONS]}
    {...props}
  />
)
