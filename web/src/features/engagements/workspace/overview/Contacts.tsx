import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useEngagement } from '../../../../shell/context/engagement.tsx'
import { Section } from '../../../../ui/page/Page.tsx'
import { ContactsDialog } from '../properties/ContactsDialog.tsx'
import classes from '../workspace.module.css'

/** Emergency contacts. */
export const Contacts = () => {
  const { details, mayChangeDetails, isArchived } = useEngagement()
  const { contacts } = details
  const [isEditing, setEditing] = useState(false)
  const mayEdit = mayChangeDetails && !isArchived
  return (
    <Section
      title="Contacts"
      actions={
        mayEdit && (
          <Button variant="subtle" size="compact-xs" onClick={() => setEditing(true)}>
            {contacts.length === 0 ? 'Add contacts' : 'Edit contacts'}
          </Button>
        )
      }
    >
      {contacts.length === 0 ? (
        <Text size="sm" c="dimmed">
          People to call when something breaks. None yet.
        </Text>
      ) : (
        <ul className={classes.contacts}>
          {contacts.map(({ name, role, phone, email }) => (
            <li key={`${name} ${phone} ${email}`}>
              <Text size="sm" fw={500}>
                {name}
              </Text>
              {role && (
                <Text size="xs" c="dimmed">
                  {role}
                </Text>
              )}
              {phone && (
                <div>
                  <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{phone}</a>
                </div>
              )}
              {email && (
                <div>
                  <a href={`mailto:${encodeURIComponent(email)}`}>{email}</a>
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      <ContactsDialog opened={isEditing} onClose={() => setEditing(false)} />
    </Section>
  )
}
