import { Button, NativeSelect, Text } from '@mantine/core'
import { useState } from 'react'
import { EFFECT_OPTIONS, type Effect, type ScopeRule } from '../../../domain/verdicts.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { IconPencil, IconTrash } from '../../../ui/icons.tsx'
import { countOfRules, type Selected } from './selected.ts'
import { useBulkRules } from './use-bulk-rules.tsx'

interface BulkActionsProps {
  engagementId: string
  selection: Selected
  /** The loaded rules: only these can be restored after a bulk change. */
  rules: readonly ScopeRule[]
  onDone: () => void
}

/** Actions on the selected rules. */
export const BulkActions = ({ engagementId, selection, rules, onDone }: BulkActionsProps) => {
  const [asked, setAsked] = useState<'edit' | 'delete'>()
  const [effect, setEffect] = useState<Effect>('deny')
  const done = () => {
    setAsked(undefined)
    onDone()
  }
  const { update, remove } = useBulkRules(engagementId, selection, rules, done)
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
        <NativeSelect
          label="Effect"
          data={EFFECT_OPTIONS}
          value={effect}
          onChange={(event) => setEffect(event.currentTarget.value as Effect)}
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
