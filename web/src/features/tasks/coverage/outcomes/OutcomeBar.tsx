import { ActionIcon, Button, Kbd } from '@mantine/core'
import { OUTCOMES } from '@sortie/contract/tasks/tasks.ts'
import type { MouseEvent } from 'react'
import { messageOf } from '../../../../api/api.ts'
import { IconArrowBackUp, IconArrowForwardUp } from '../../../../ui/page-icons.tsx'
import { type CheckOutcome, OUTCOME_LABELS } from '../../labels.tsx'
import { SIGNS } from '../matrix/Sums.tsx'
import classes from './outcomes.module.css'
import type { Outcomes } from './use-outcomes.ts'

/** The key of each outcome. */
export const OUTCOME_KEYS: Record<CheckOutcome, string> = { pass: 'P', fail: 'F', not_applicable: 'N', untested: 'U' }
const IN_ORDER = OUTCOMES.toSorted(
  (a, b) => 'pfnu'.indexOf(OUTCOME_KEYS[a].toLowerCase()) - 'pfnu'.indexOf(OUTCOME_KEYS[b].toLowerCase()),
)

/** The matrix keeps the focus, and with it the keys. */
const keepFocus = (event: MouseEvent) => event.preventDefault()

interface OutcomeBarProps {
  /** What is selected: the name of a check, or how many. */
  selected: string
  isDisabled: boolean
  onSet: (outcome: CheckOutcome) => void
  onOpen: (() => void) | undefined
  outcomes: Pick<Outcomes, 'unsaved' | 'undo' | 'redo'>
}

/** What is selected in the matrix, and its outcomes by mouse. */
export const OutcomeBar = ({
  selected,
  isDisabled,
  onSet,
  onOpen,
  outcomes: { unsaved, undo, redo },
}: OutcomeBarProps) => (
  <div className={classes.bar} role="toolbar" aria-label="Outcome of the selected checks">
    <span className={classes.selected} title={selected}>
      {selected}
    </span>
    {IN_ORDER.map((outcome) => (
      <Button
        key={outcome}
        variant="default"
        size="compact-sm"
        disabled={isDisabled}
        onMouseDown={keepFocus}
        onClick={() => onSet(outcome)}
        leftSection={
          <span className={classes.sign} data-outcome={outcome} aria-hidden>
            {SIGNS[outcome]}
          </span>
        }
        rightSection={
          <Kbd size="xs" aria-hidden className={classes.key}>
            {OUTCOME_KEYS[outcome]}
          </Kbd>
        }
      >
        <span className={classes.label}>{OUTCOME_LABELS[outcome]}</span>
      </Button>
    ))}
    <ActionIcon
      className={classes.history}
      aria-label="Undo"
      title="Undo (Ctrl+Z)"
      disabled={unsaved.steps === 0}
      onMouseDown={keepFocus}
      onClick={undo}
    >
      <IconArrowBackUp size={16} aria-hidden />
    </ActionIcon>
    <ActionIcon
      className={classes.history}
      aria-label="Redo"
      title="Redo (Ctrl+Shift+Z)"
      disabled={unsaved.undone === 0}
      onMouseDown={keepFocus}
      onClick={redo}
    >
      <IconArrowForwardUp size={16} aria-hidden />
    </ActionIcon>
    {onOpen && (
      <Button
        variant="subtle"
        size="compact-sm"
        onClick={onOpen}
        rightSection={
          <Kbd size="xs" aria-hidden className={classes.key}>
            Enter
          </Kbd>
        }
      >
        Open
      </Button>
    )}
  </div>
)

/** Outcomes that could not be saved: they stay in the matrix until they are repeated or discarded. */
export const UnsavedOutcomes = ({ unsaved, retry, discard }: Pick<Outcomes, 'unsaved' | 'retry' | 'discard'>) => {
  const { size } = unsaved.failed
  if (size === 0) return null
  return (
    <div className={classes.failed} role="alert">
      <span>
        {size === 1 ? '1 outcome was not saved.' : `${size} outcomes were not saved.`} {messageOf(unsaved.error)}
      </span>
      <Button size="compact-sm" onClick={retry}>
        Try again
      </Button>
      <Button size="compact-sm" variant="default" onClick={discard}>
        Discard
      </Button>
    </div>
  )
}
