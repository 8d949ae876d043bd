import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconAdjustmentsHorizontal } from '../../icons.tsx'
import { lazyPart } from '../../load-part.ts'
import { MenuButton } from '../../overlays/MenuButton.tsx'
import type { DisplayMenuProps } from './display-menu-props.ts'

const DisplayItems = lazyPart(() => import('./DisplayItems.tsx'), 'DisplayItems') as <Row>(
  props: DisplayMenuProps<Row>,
) => ReactNode

/** Sort, columns and pinned columns: for the keyboard, and for phones, which have no headings. */
export const DisplayMenu = <Row,>(props: DisplayMenuProps<Row>) => (
  <MenuButton
    position="bottom-end"
    width={240}
    button={
      <Button variant="default" size="compact-sm" leftSection={<IconAdjustmentsHorizontal size={14} aria-hidden />}>
        Display
      </Button>
    }
  >
    <DisplayItems {...props} />
  </MenuButton>
)
