import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { DialogForm, type DialogFormProps } from '../ui/dialogs/DialogForm.tsx'
import { confirmDiscard } from '../ui/dialogs/unsaved.ts'
import { FormElement } from '../ui/fields/FormElement.tsx'
import { FormError } from '../ui/fields/FormError.tsx'
import { ConflictView, type FieldLabels } from './conflict/ConflictView.tsx'
import type { Values } from './conflict/merge.ts'
import { DraftNotice } from './drafts/DraftNotice.tsx'
import type { DraftForm } from './use-draft-form.ts'

const CONFLICT = 'Choose a value for each field above first.'

interface FormProps<V extends Values> {
  form: DraftForm<V>
  /** Field labels, for a form that detects concurrent changes. */
  labels?: FieldLabels<V>
  children: ReactNode
  submitLabel: string
  /** A text says what is missing. */
  disabled?: boolean | string
}

interface PageFormProps<V extends Values> extends FormProps<V> {
  /**
   * Called after the user has discarded the changes, or if there are none. Absent on a permanent form: no Cancel
   * button.
   */
  onCancel?: () => void
  /** Replaces immediate saving, for forms that confirm first. */
  onSubmit?: () => void
  danger?: boolean
  /** The page has another primary button. */
  isSecondary?: boolean
}

/** A form in a page: fields, error message, Save and Cancel. */
export const PageForm = <V extends Values>(props: PageFormProps<V>) => {
  const {
    form,
    labels,
    children,
    submitLabel,
    disabled = false,
    danger = false,
    isSecondary = false,
    onCancel,
    onSubmit = () => void form.save(),
  } = props
  const barred = form.conflict === undefined ? disabled : CONFLICT
  return (
    <FormElement formRef={form.ref} onSubmit={onSubmit} loading={form.isSaving} barred={barred}>
      <Stack gap="md">
        <Notices form={form} labels={labels} />
        {children}
        <FormError message={form.message} />
        <Group gap="xs">
          <Button
            type="submit"
            {...(isSecondary && { variant: 'default' })}
            {...(danger && { color: 'red' })}
            loading={form.isSaving}
            aria-disabled={barred !== false || undefined}
          >
            {submitLabel}
          </Button>
          {onCancel && (
            <Button variant="default" disabled={form.isSaving} onClick={() => void cancelForm(form, onCancel)}>
              Cancel
            </Button>
          )}
        </Group>
      </Stack>
    </FormElement>
  )
}

interface DialogDraftFormProps<V extends Values>
  extends FormProps<V>, Pick<DialogFormProps, 'danger' | 'alternative' | 'error'> {
  onCancel: () => void
}

/** A dialog form that keeps a draft of the user's input. */
export const DraftDialogForm = <V extends Values>({
  form,
  labels,
  children,
  disabled = false,
  error,
  onCancel,
  ...others
}: DialogDraftFormProps<V>) => (
  <DialogForm
    formRef={form.ref}
    onSubmit={() => void form.save()}
    onCancel={() => void cancelForm(form, onCancel)}
    error={form.message ?? error}
    loading={form.isSaving}
    disabled={form.conflict === undefined ? disabled : CONFLICT}
    {...others}
  >
    <Notices form={form} labels={labels} />
    {children}
  </DialogForm>
)

const Notices = <V extends Values>({ form, labels }: { form: DraftForm<V>; labels: FieldLabels<V> | undefined }) => (
  <>
    <DraftNotice form={form} />
    {labels && <ConflictView form={form} labels={labels} />}
  </>
)

/** Calls back once the form's changes are discarded, or if it has none. */
export const cancelForm = async <V extends Values>(form: DraftForm<V>, onCancel: () => void): Promise<void> => {
  if (await confirmDiscard(form.ref.current)) onCancel()
}
