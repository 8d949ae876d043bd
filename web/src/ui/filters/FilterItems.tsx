import { Menu } from '@mantine/core'
import type { FilterDefinition } from './filters.ts'

/** Items of the menu of filters. */
export const FilterItems = ({
  definitions,
  onChoose,
}: {
  definitions: readonly FilterDefinition[]
  onChoose: (definition: FilterDefinition) => void
}) =>
  definitions.map((definition) => (
    <Menu.Item key={definition.name} onClick={() => onChoose(definition)}>
      {definition.label}
    </Menu.Item>
  ))
