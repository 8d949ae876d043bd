import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import type { Scope } from '@sortie/contract/core/scopes.ts'
import classes from './api-keys.module.css'
import { EVERYTHING, explain, READ_ONLY, SCOPE_GROUPS } from './scopes.ts'

/** Checkboxes for the scopes of a key. */
export const ScopeChoice = ({
  chosen,
  offered = EVERYTHING,
  onChange,
}: {
  chosen: readonly Scope[]
  /** The scopes that can be chosen. */
  offered?: readonly Scope[]
  onChange: (scopes: Scope[]) => void
}) => {
  /** Keeps the canonical order of scopes. */
  const set = (scopes: readonly Scope[]) =>
    onChange(EVERYTHING.filter((scope) => scopes.includes(scope) && offered.includes(scope)))
  return (
    <Stack gap={4} role="group" aria-label="Scopes">
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={500}>
          Scopes
        </Text>
        <Group gap={6}>
          <Button variant="default" size="compact-xs" onClick={() => set(READ_ONLY)}>
            Read-only
          </Button>
          <Button variant="default" size="compact-xs" onClick={() => set(EVERYTHING)}>
            Everything
          </Button>
          <Button variant="default" size="compact-xs" onClick={() => set([])}>
            None
          </Button>
        </Group>
      </Group>
      <Text size="xs" c="dimmed">
        Scopes of a key can't be changed later.
      </Text>
      {SCOPE_GROUPS.filter(({ read, write }) => offered.includes(read) || offered.includes(write)).map(
        ({ title, read, write }) => (
          <fieldset key={title} className={classes.scopeGroup}>
            <legend>{title}</legend>
            <div>
              <Stack gap={6}>
                {[read, write]
                  .filter((scope) => offered.includes(scope))
                  .map((scope) => (
                    <Checkbox
                      key={scope}
                      label={explain(scope)}
                      description={scope}
                      checked={chosen.includes(scope)}
                      onChange={(event) =>
                        set(
                          event.currentTarget.checked ? [...chosen, scope] : chosen.filter((other) => other !== scope),
                        )
                      }
                    />
                  ))}
              </Stack>
            </div>
          </fieldset>
        ),
      )}
    </Stack>
  )
}
