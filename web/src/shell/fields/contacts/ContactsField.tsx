import { ActionIcon, Button, Stack, Text, TextInput } from '@mantine/core'
import { addLine } from '../../../ui/fields/add-line.ts'
import { IconPlus } from '../../../ui/icons.tsx'
import { IconTrash } from '../../../ui/page-icons.tsx'
import type { EngagementDetails } from '../../context/engagement.tsx'
import classes from './contacts.module.css'

type Contacts = EngagementDetails['contacts']

interface ContactsFieldProps {
  value: Contacts
  onChange: (contacts: Contacts) => void
  description: string
  error?: React.ReactNode
}

const MAX_CONTACTS = 20
const EMPTY = { name: '', role: '', phone: '', email: '' }

/** Names, roles, numbers and addresses of people. */
export const ContactsField = ({ value, onChange, description, error }: ContactsFieldProps) => {
  const change = (index: number, field: keyof typeof EMPTY, text: string) =>
    onChange(value.map((contact, at) => (at === index ? { ...contact, [field]: text } : contact)))
  return (
    <fieldset className={classes.fieldset}>
      <legend>Contacts</legend>
      <Stack gap="sm">
        <Text size="xs" c="dimmed">
          {description}
        </Text>
        {value.map((contact, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a contact has no id, and its fields hold no state
          <div key={index} className={classes.contact} role="group" aria-label={`Contact ${index + 1}`}>
            <TextInput
              label="Name"
              maxLength={100}
              value={contact.name}
              onChange={(event) => change(index, 'name', event.currentTarget.value)}
            />
            <TextInput
              label="Role"
              maxLength={100}
              value={contact.role}
              onChange={(event) => change(index, 'role', event.currentTarget.value)}
            />
            <TextInput
              label="Phone"
              type="tel"
              maxLength={50}
              value={contact.phone}
              onChange={(event) => change(index, 'phone', event.currentTarget.value)}
            />
            <TextInput
              label="Email"
              type="email"
              maxLength={254}
              value={contact.email}
              onChange={(event) => change(index, 'email', event.currentTarget.value)}
            />
            <ActionIcon
              size="lg"
              aria-label={`Remove contact ${index + 1}`}
              onClick={() => onChange(value.filter((_, at) => at !== index))}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </div>
        ))}
        {value.length < MAX_CONTACTS && (
          <div>
            <Button
              variant="default"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={(event) => addLine(event.currentTarget.closest('fieldset'), () => onChange([...value, EMPTY]))}
            >
              Add a contact
            </Button>
          </div>
        )}
        {error && (
          <Text size="xs" c="var(--mantine-color-error)" role="alert">
            {error}
          </Text>
        )}
      </Stack>
    </fieldset>
  )
}
