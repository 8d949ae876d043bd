import { Choice } from '../../../ui/fields/Choice.tsx'
import type { useChosenEnvironment } from './use-environments.ts'

const optionsOf = (environments: readonly { id: string; name: string }[]) =>
  environments.map(({ id, name }) => ({ value: id, label: name }))

/** Selects the environment whose variables are substituted. */
export const EnvironmentChoice = ({ own, shared, environment, choose }: ReturnType<typeof useChosenEnvironment>) => (
  <Choice
    aria-label="Environment"
    size="xs"
    value={environment?.id ?? ''}
    data={[
      { value: '', label: 'No environment' },
      ...optionsOf(own),
      ...(shared.length > 0 ? [{ group: 'From the organization', items: optionsOf(shared) }] : []),
    ]}
    onChange={(chosen) => choose(chosen || undefined)}
  />
)
