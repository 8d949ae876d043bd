import { ActionIcon, Button, Checkbox, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { addLine } from '../../../ui/fields/add-line.ts'
import { IconPlus } from '../../../ui/icons.tsx'
import { IconX } from '../../../ui/page-icons.tsx'
import classes from '../request/request.module.css'
import { newRow, type VariableRow } from './environment-values.ts'

interface VariableRowsProps {
  rows: readonly VariableRow[]
  /** Typed secrets by row key. */
  secrets: Readonly<Record<string, string>>
  isReadOnly: boolean
  onRows: (rows: VariableRow[]) => void
  onSecret: (key: string, value: string) => void
}

/** Variables of an environment. A sealed value can be replaced or deleted with its variable, but is never shown. */
export const VariableRows = ({ rows, secrets, isReadOnly, onRows, onSecret }: VariableRowsProps) => (
  <Stack gap="xs">
    <Title order={2}>Variables</Title>
    <Text size="sm" c="dimmed">
      Requests use them as {'{{name}}'}. Secret ones are sealed by the server, and masked wherever they would appear.
    </Text>
    <fieldset disabled={isReadOnly} className={classes.fields}>
      <ul className={classes.rows}>
        {rows.map((row, index) => {
          const number = index + 1
          const change = (changes: Partial<VariableRow>) => onRows(rows.with(index, { ...row, ...changes }))
          return (
            <li key={row.key} className={classes.test}>
              <TextInput
                aria-label={`Name of variable ${number}`}
                placeholder="Name"
                spellCheck={false}
                maxLength={64}
                value={row.name}
                onChange={(event) => change({ name: event.currentTarget.value })}
              />
              {row.secret ? (
                <PasswordInput
                  aria-label={`Value of variable ${number}`}
                  placeholder={row.isSealed ? 'Set. Type to replace it.' : 'Value'}
                  autoComplete="new-password"
                  maxLength={16_384}
                  value={secrets[row.key] ?? ''}
                  onChange={(event) => onSecret(row.key, event.currentTarget.value)}
                />
              ) : (
                <TextInput
                  aria-label={`Value of variable ${number}`}
                  placeholder="Value"
                  spellCheck={false}
                  maxLength={16_384}
                  value={row.value}
                  onChange={(event) => change({ value: event.currentTarget.value })}
                />
              )}
              <Checkbox
                label="Secret"
                aria-label={`Variable ${number} is secret`}
                checked={row.secret}
                onChange={(event) => {
                  const isSecret = event.currentTarget.checked
                  // The plain value becomes the secret, and is no longer stored in the browser.
                  if (isSecret && row.value !== '') onSecret(row.key, row.value)
                  change({ secret: isSecret, value: '' })
                }}
              />
              <ActionIcon
                aria-label={`Remove variable ${number}`}
                onClick={() => onRows(rows.filter((_, other) => other !== index))}
              >
                <IconX size={14} aria-hidden />
              </ActionIcon>
            </li>
          )
        })}
      </ul>
    </fieldset>
    {!isReadOnly && (
      <Button
        variant="default"
        className={classes.add}
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={(event) => addLine(event.currentTarget.parentElement, () => onRows([...rows, newRow()]))}
      >
        Add a variable
      </Button>
    )}
  </Stack>
)
