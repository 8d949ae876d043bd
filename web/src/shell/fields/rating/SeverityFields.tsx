import { Button, Text } from '@mantine/core'
import { scoreOf, severityOfScore } from '@sortie/contract/inventory/cvss.ts'
import { Suspense, useState } from 'react'
import { SeverityLabel } from '../../../domain/SeverityLabel.tsx'
import { SEVERITY_LABELS } from '../../../domain/vulnerability-words.ts'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { DialogForm } from '../../../ui/dialogs/DialogForm.tsx'
import type { MenuShortcut } from '../../../ui/dialogs/DropdownMenu.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { MenuField } from '../../../ui/fields/MenuField.tsx'
import { lazyPart } from '../../../ui/load-part.ts'
import { TextValue } from '../custom/CustomFields.tsx'
import { SeverityChoices } from './SeverityChoices.tsx'

const CvssCalculator = lazyPart(() => import('../../../domain/cvss/CvssCalculator.tsx'), 'CvssCalculator')

type Severity = keyof typeof SEVERITY_LABELS

interface SeverityFieldsProps {
  severity: Severity
  cvssVector: string | null
  /** Absent: the object has none. */
  severityReason?: string
  onChange: (change: { severity?: Severity; cvssVector?: string | null; severityReason?: string }) => void
  disabled: boolean
  /** Opens the menu of severities from anywhere on the page. */
  shortcut?: MenuShortcut
}

/** Severity and CVSS vector. The severity follows a new vector; a different one needs a reason. */
export const SeverityFields = ({
  severity,
  cvssVector,
  severityReason,
  onChange,
  disabled,
  shortcut,
}: SeverityFieldsProps) => {
  const [isCalculating, setCalculating] = useState(false)
  const score = cvssVector === null ? undefined : scoreOf(cvssVector)
  const differs = score !== undefined && severityOfScore(score) !== severity
  const setVector = (vector: string) => onChange({ cvssVector: vector || null })
  return (
    <>
      <MenuField
        label="Severity"
        {...(shortcut && { shortcut })}
        disabled={disabled}
        value={<SeverityLabel severity={severity} />}
      >
        <SeverityChoices onChoose={(chosen) => onChange({ severity: chosen })} />
      </MenuField>
      <div>
        <TextValue
          label={score === undefined ? 'CVSS vector' : `CVSS vector · ${score.toFixed(1)}`}
          placeholder="CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"
          maxLength={500}
          spellCheck={false}
          value={cvssVector ?? ''}
          disabled={disabled}
          onTake={setVector}
        />
        {!disabled && (
          <Button variant="subtle" size="compact-sm" mt={4} onClick={() => setCalculating(true)}>
            Calculate the vector
          </Button>
        )}
      </div>
      {severityReason !== undefined && (differs || severityReason) && (
        <div>
          <TextValue
            label="Reason for the severity"
            maxLength={500}
            value={severityReason}
            disabled={disabled}
            onTake={(reason) => onChange({ severityReason: reason })}
          />
          {differs && (
            <Text size="xs" c="dimmed" mt={4}>
              The score means {SEVERITY_LABELS[severityOfScore(score)].toLowerCase()}. A different severity needs a
              reason before review.
            </Text>
          )}
        </div>
      )}
      {isCalculating && (
        <CalculatorDialog vector={cvssVector ?? ''} onTake={setVector} onClose={() => setCalculating(false)} />
      )}
    </>
  )
}

const CalculatorDialog = ({
  vector: before,
  onTake,
  onClose,
}: {
  vector: string
  onTake: (vector: string) => void
  onClose: () => void
}) => {
  const [vector, setVector] = useState(before)
  const take = () => {
    onTake(vector)
    onClose()
  }
  return (
    <Dialog opened onClose={onClose} title="CVSS" size="lg">
      <DialogForm
        submitLabel="Use this vector"
        onSubmit={take}
        onCancel={onClose}
        loading={false}
        disabled={scoreOf(vector) === undefined}
      >
        <Suspense fallback={<ListSkeleton rows={8} height={24} />}>
          <CvssCalculator vector={vector} onChange={setVector} />
        </Suspense>
        <Text size="sm" className="mono">
          {vector || 'No vector yet.'}
        </Text>
      </DialogForm>
    </Dialog>
  )
}
