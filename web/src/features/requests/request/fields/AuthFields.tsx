import { PasswordInput, Stack, TextInput } from '@mantine/core'
import { Choice } from '../../../../ui/fields/Choice.tsx'
import type { Auth } from '../../place.tsx'
import { type AuthValues, hasHiddenSecret } from '../request-values.ts'

interface AuthFieldsProps {
  value: AuthValues
  secret: string
  saved: Auth
  /** For a folder, which can inherit from parent folders too. */
  inheritLabel?: string
  onChange: (value: AuthValues) => void
  onSecret: (secret: string) => void
}

const TYPES: readonly { value: Auth['type']; label: string }[] = [
  { value: 'inherit', label: 'Inherit from folder' },
  { value: 'none', label: 'None' },
  { value: 'basic', label: 'Basic: user and password' },
  { value: 'bearer', label: 'Bearer token' },
  { value: 'header', label: 'Header' },
  { value: 'query', label: 'Query parameter' },
]

const SECRET_LABELS = { basic: 'Password', bearer: 'Token', header: 'Value', query: 'Value' } as const

/** Authentication of a request. The server seals typed secrets and never returns them. */
export const AuthFields = ({ value, secret, saved, inheritLabel, onChange, onSecret }: AuthFieldsProps) => {
  const { type } = value
  const types = TYPES.map((option) =>
    option.value === 'inherit' && inheritLabel !== undefined ? { ...option, label: inheritLabel } : option,
  )
  return (
    <Stack gap="sm" maw={480}>
      <Choice
        label="Authentication"
        data={types}
        value={type}
        onChange={(chosen) => onChange({ ...value, type: chosen })}
      />
      {type === 'basic' && (
        <TextInput
          label="User"
          autoComplete="off"
          spellCheck={false}
          maxLength={1_000}
          value={value.username}
          onChange={(event) => onChange({ ...value, username: event.currentTarget.value })}
        />
      )}
      {(type === 'header' || type === 'query') && (
        <TextInput
          label="Name"
          spellCheck={false}
          maxLength={200}
          value={value.name}
          onChange={(event) => onChange({ ...value, name: event.currentTarget.value })}
        />
      )}
      {type !== 'inherit' && type !== 'none' && (
        <PasswordInput
          label={SECRET_LABELS[type]}
          description="Encrypted, and never shown again. A variable such as {{token}} stays readable."
          placeholder={hasHiddenSecret(saved, type) ? 'Set. Type to replace it.' : ''}
          autoComplete="new-password"
          maxLength={16_384}
          value={secret}
          onChange={(event) => onSecret(event.currentTarget.value)}
        />
      )}
    </Stack>
  )
}
