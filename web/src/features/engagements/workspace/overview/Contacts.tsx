import { Text } from '@mantine/core'
import { useEngagement } from '../../../../shell/context/engagement.tsx'
import classes from '../workspace.module.css'

/** Emergency contacts. */
export const Contacts = () => {
  const { contacts } = useEngagement().details
  if (contacts.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        None yet. Add people to call in the settings.
      </Text>
    )
  }
  return (
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
  )
}
