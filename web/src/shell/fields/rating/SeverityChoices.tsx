import { SeverityLabel } from '../../../domain/SeverityLabel.tsx'
import { SEVERITY_LABELS } from '../../../domain/vulnerability-words.ts'
import { ChoiceItem } from '../../../ui/dialogs/DropdownMenu.tsx'

type Severity = keyof typeof SEVERITY_LABELS

export const SEVERITY_KEYS: Record<Severity, string> = { info: '1', low: '2', medium: '3', high: '4', critical: '5' }

/** Items of a menu of severities. */
export const SeverityChoices = ({ onChoose }: { onChoose: (severity: Severity) => void }) =>
  (Object.keys(SEVERITY_LABELS) as Severity[]).map((severity) => (
    <ChoiceItem key={severity} hint={SEVERITY_KEYS[severity]} onClick={() => onChoose(severity)}>
      <SeverityLabel severity={severity} />
    </ChoiceItem>
  ))
