import { Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { query } from '../../api/api.ts'
import { useSend } from '../../api/use-send.ts'
import { DraftDialogForm } from '../../forms/Form.tsx'
import { useDraftForm } from '../../forms/use-draft-form.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { ContactsField } from '../../shell/fields/contacts/ContactsField.tsx'
import { changedFields, describeFields } from '../../shell/fields/custom/custom-fields.ts'
import { CustomFields } from '../../shell/fields/custom/CustomFields.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { type Client, savedOf, staleReads } from './client.ts'

interface EditClientDialogProps {
  client: Client
  onClose: () => void
}

export const EditClientDialog = (props: EditClientDialogProps) => (
  <Dialog opened onClose={props.onClose} title="Edit client" size="lg">
    <EditForm {...props} />
  </Dialog>
)

const LABELS = {
  name: 'Name',
  shortName: 'Short name',
  domains: 'Domains',
  notes: 'Notes',
  language: 'Language',
  contacts: {
    label: 'Contacts',
    show: (contacts: Client['contacts']) =>
      contacts.map((contact) => Object.values(contact).filter(Boolean).join(', ')).join('; ') || 'None',
  },
  fields: { label: 'Custom fields', show: describeFields },
}

const EditForm = ({ client, onClose }: EditClientDialogProps) => {
  const organization = useOrganization()
  const cache = useQueryClient()
  const params = { clientId: client.id }
  const send = useSend(organization.id, 'updateClient', staleReads(organization.id))
  const form = useDraftForm({
    draft: `client/${client.id}`,
    saved: savedOf(client),
    send: ({ domains, language, fields, ...values }, ifUpdatedAt) =>
      send({
        params,
        body: {
          ...values,
          domains: domains.split(/[\s,]+/).filter(Boolean),
          language: language.trim() || null,
          fields: changedFields(savedOf(client).values.fields, fields),
          ...(ifUpdatedAt && { ifUpdatedAt }),
        },
      }),
    savedBy: ({ data }) => savedOf(data),
    reread: async () => savedOf((await cache.fetchQuery(query(organization.id, 'getClient', { params }))).data),
    onSaved: onClose,
  })
  return (
    <DraftDialogForm
      form={form}
      labels={LABELS}
      submitLabel="Save"
      onCancel={onClose}
      disabled={!form.hasChanges || !form.values.name.trim()}
    >
      <TextInput label="Name" maxLength={200} data-autofocus {...form.getInputProps('name')} />
      <TextInput label="Short name" maxLength={40} {...form.getInputProps('shortName')} />
      <Textarea
        label="Domains"
        description="One per line."
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        {...form.getInputProps('domains')}
      />
      <TextInput
        label="Language"
        description="For texts written for the client, such as en-GB or de."
        maxLength={35}
        {...form.getInputProps('language')}
      />
      <ContactsField
        value={form.values.contacts}
        description="People of the client."
        onChange={(contacts) => form.setFieldValue('contacts', contacts)}
        error={form.errors.contacts}
      />
      <Textarea
        label="Notes"
        description="Markdown"
        autosize
        minRows={3}
        maxRows={14}
        maxLength={20_000}
        {...form.getInputProps('notes')}
      />
      <CustomFields
        objectType="client"
        values={form.values.fields}
        onChange={(key, value) => form.setFieldValue('fields', { ...form.values.fields, [key]: value })}
      />
    </DraftDialogForm>
  )
}
