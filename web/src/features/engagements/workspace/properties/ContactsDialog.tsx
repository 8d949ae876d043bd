import { DraftDialogForm } from '../../../../forms/Form.tsx'
import type { EngagementDetails } from '../../../../shell/context/engagement.tsx'
import { ContactsField } from '../../../../shell/fields/contacts/ContactsField.tsx'
import { Dialog } from '../../../../ui/dialogs/Dialog.tsx'
import { useDetailsForm } from './use-details-form.ts'

/** Edits the emergency contacts of the open engagement. */
export const ContactsDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <Dialog opened={opened} onClose={onClose} title="Contacts" size="lg">
    <ContactsForm onDone={onClose} />
  </Dialog>
)

type Contacts = EngagementDetails['contacts']

const describe = (contacts: Contacts): string =>
  contacts.map((contact) => Object.values(contact).filter(Boolean).join(', ')).join('; ') || 'None'

const ContactsForm = ({ onDone }: { onDone: () => void }) => {
  const form = useDetailsForm('contacts', 'engagement-contacts', onDone)
  return (
    <DraftDialogForm
      form={form}
      labels={{ contacts: { label: 'Contacts', show: describe } }}
      submitLabel="Save contacts"
      onCancel={onDone}
    >
      <ContactsField
        value={form.values.contacts}
        description="People to call when something breaks."
        onChange={(contacts) => form.setFieldValue('contacts', contacts)}
        error={form.errors.contacts}
      />
    </DraftDialogForm>
  )
}
