import { Popover, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Anchor } from './Anchor.tsx'

/** Explanation below a button. */
export const Hint = ({
  button,
  onClose,
  children,
}: {
  button: HTMLElement
  onClose: () => void
  children: ReactNode
}) => (
  <Popover
    opened
    onChange={(opened) => !opened && onClose()}
    position="bottom-start"
    width={320}
    shadow="md"
    trapFocus
    returnFocus
    transitionProps={{ duration: 0 }}
  >
    <Popover.Target>
      <Anchor element={button} />
    </Popover.Target>
    <Popover.Dropdown p="sm">
      <Text size="sm" component="div">
        {children}
      </Text>
    </Popover.Dropdown>
  </Popover>
)
