import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { EFFECT_OPTIONS, type Effect } from '../../../domain/verdicts.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { IconPencil, IconTrash } from '../../../ui/page-icons.tsx'
import { countOfRules, type Selected } from './selected.ts'
import { useBulkRules } from './use-bulk-rules.ts'

interface BulkActionsProps {
  selection: Selected
  onDone: () => void
}

/** Actions on the selected rules. */
export const BulkActions = ({ selection, onDone }: BulkActionsProps) => {
  const [asked, setAsked] = useState<'edit' | 'delete'>()
  const [effect, setEffect] = useState<Effect>('deny')
  const done = () => {
    setAsked(undefined)
    onDone()
  }
  const { update, remove } = useBulkRules(selection, done)
  const what = selection.ids ? countOfRules(selection.ids.length) : 'all rules that match'
  const close = () => setAsked(undefined)
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconPencil size={14} aria-hidden />}
        onClick={() => setAsked('edit')}
      >
        Change effect
      </Button>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconTrash size={14} aria-hidden />}
        onClick={() => setAsked('delete')}
      >
        Delete
      </Button>
      <ConfirmDialog
        opened={asked === 'edit'}
        onClose={close}
        onConfirm={() => update.run(effect)}
        title={`Change the effect of ${what}`}
        confirmLabel="Change effect"
        danger={false}
        loading={update.isPending}
        error={update.message}
      >
        <Choice
          label="Effect"
          data={EFFECT_OPTIONS}
          value={effect}
          onChange={(chosen) => setEffect(chosen)}
          data-autofocus
        />
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked === 'delete'}
        onClose={close}
        onConfirm={() => remove.run()}
        title={`Delete ${what}?`}
        confirmLabel="Delete rules"
        loading={remove.isPending}
        error={remove.message}
      >
        <Text size="sm" component="span">
          Targets are re-evaluated without them: targets out of scope may become in scope, and vice versa.
        </Text>
      </ConfirmDialog>
    </>
  )
}
