import { TextInput } from '@mantine/core'
import { SEVERITY_LABELS } from '../../../domain/vulnerability-words.ts'
import { ColorField } from '../../../ui/fields/color/ColorField.tsx'
import classes from './severity-looks.module.css'

type Severity = keyof typeof SEVERITY_LABELS
const SEVERITIES = Object.keys(SEVERITY_LABELS) as Severity[]

/** Colours of reports that set none. */
const USUAL_COLORS: Readonly<Record<string, string>> = {
  critical: '#8c1d18',
  high: '#c2410c',
  medium: '#b7791f',
  low: '#2f6f9f',
  info: '#5f6b7a',
}

interface SeverityLooksProps {
  names: Readonly<Record<string, string>>
  colors: Readonly<Record<string, string>>
  onNames: (names: Record<string, string>) => void
  onColors: (colors: Record<string, string>) => void
}

/** Names and colours of severities in reports. What is empty has the default. */
export const SeverityLooks = ({ names, colors, onNames, onColors }: SeverityLooksProps) => (
  <div className={classes.looks}>
    {SEVERITIES.map((severity) => (
      <div key={severity} className={classes.look}>
        <span>{SEVERITY_LABELS[severity]}</span>
        <TextInput
          aria-label={`Name of ${SEVERITY_LABELS[severity]}`}
          placeholder={SEVERITY_LABELS[severity]}
          maxLength={40}
          value={names[severity] ?? ''}
          onChange={({ currentTarget }) => onNames({ ...names, [severity]: currentTarget.value })}
        />
        <ColorField
          isLabelHidden
          label={`Colour of ${SEVERITY_LABELS[severity]}`}
          placeholder={USUAL_COLORS[severity] ?? '#5f6b7a'}
          value={colors[severity] ?? ''}
          onChange={(color) => onColors({ ...colors, [severity]: color })}
        />
      </div>
    ))}
  </div>
)
