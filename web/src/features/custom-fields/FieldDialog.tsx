import { Checkbox, Textarea, TextInput } from '@mantine/core'
import { useSend } from '../../api/use-send.ts'
import { DraftDialogForm } from '../../forms/Form.tsx'
import { useDraftForm } from '../../forms/use-draft-form.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import type { FieldDefinition } from '../../shell/fields/custom/custom-fields.ts'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { Choice } from '../../ui/fields/Choice.tsx'
import { optionsOf } from '../../ui/values/options-of.ts'
import { keyOf, OBJECT_LABELS, TYPE_LABELS } from './words.ts'

interface FieldDialogProps {
  /** Undefined for a new field. */
  field: FieldDefinition | undefined
  onClose: () => void
}

/** Defines or changes a custom field. Object type, key and type never change. */
export const FieldDialog = (props: FieldDialogProps) => (
  <Dialog opened onClose={props.onClose} title={props.field ? `Edit ${props.field.label}` : 'New field'}>
    <FieldForm {...props} />
  </Dialog>
)

const EMPTY = {
  objectType: 'engagement' as FieldDefinition['objectType'],
  type: 'text' as FieldDefinition['type'],
  label: '',
  key: '',
  options: '',
  help: '',
  required: false,
}

const FieldForm = ({ field, onClose }: FieldDialogProps) => {
  const organization = useOrganization()
  const stale = [[organization.id, 'listFieldDefinitions'] as const]
  const create = useSend(organization.id, 'createFieldDefinition', stale)
  const update = useSend(organization.id, 'updateFieldDefinition', stale)
  const form = useDraftForm({
    saved: {
      values: field ? { ...EMPTY, ...field, options: field.options.join('\n') } : EMPTY,
      version: field?.updatedAt,
    },
    send: ({ objectType, type, label, key, help, required, options }, ifUpdatedAt) => {
      const changeable = {
        label,
        help,
        required: objectType === 'finding' && required,
        ...(hasOptions(type) && { options: linesOf(options) }),
      }
      return field
        ? update({ params: { definitionId: field.id }, body: { ...changeable, ...(ifUpdatedAt && { ifUpdatedAt }) } })
        : create({ body: { objectType, type, key: key || keyOf(label), ...changeable } })
    },
    onSaved: onClose,
  })
  const { objectType, type, label, key } = form.values
  return (
    <DraftDialogForm
      form={form}
      submitLabel={field ? 'Save' : 'Create field'}
      onCancel={onClose}
      disabled={!label.trim()}
    >
      {!field && <Choice label="For" data={optionsOf(OBJECT_LABELS)} {...form.getInputProps('objectType')} />}
      <TextInput
        label="Label"
        placeholder="Cost center"
        maxLength={80}
        data-autofocus
        {...form.getInputProps('label')}
      />
      {!field && (
        <>
          <Choice label="Type" data={optionsOf(TYPE_LABELS)} {...form.getInputProps('type')} />
          <TextInput
            label="Key"
            description={`Its name in the API and in exports; it never changes. Default: ${key || keyOf(label) || 'from the label'}`}
            maxLength={40}
            spellCheck={false}
            {...form.getInputProps('key')}
          />
        </>
      )}
      {hasOptions(type) && (
        <Textarea
          label="Options"
          description="One per line."
          autosize
          minRows={3}
          maxRows={12}
          {...form.getInputProps('options')}
        />
      )}
      <TextInput label="Help" description="Shown with the field." maxLength={500} {...form.getInputProps('help')} />
      {objectType === 'finding' && (
        <Checkbox
          label="Required before a finding is sent to review"
          {...form.getInputProps('required', { type: 'checkbox' })}
        />
      )}
    </DraftDialogForm>
  )
}

const hasOptions = (type: FieldDefinition['type']): boolean => type === 'choice' || type === 'choices'

const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  ),
]
