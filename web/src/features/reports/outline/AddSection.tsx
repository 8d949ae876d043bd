import { Menu } from '@mantine/core'
import type { Input } from '@sortie/client/calls.ts'
import type { ReactElement } from 'react'
import { LIVE_LABELS, LIVE_TYPES } from '../../../domain/reports/live-sections.ts'
import { DropdownMenu } from '../../../ui/dialogs/DropdownMenu.tsx'
import { IconBolt, IconPencil } from '../../../ui/page-icons.tsx'

interface AddSectionProps {
  target: ReactElement
  onAdd: (section: Input<'createReportSection'>['body']) => void
}

/** Adds a text, or a section that fills itself from the engagement. */
export const AddSection = ({ target, onAdd }: AddSectionProps) => (
  <DropdownMenu
    position="bottom-start"
    width={240}
    target={target}
    shortcut={{ id: 'create', label: 'Add a section', group: 'This page', key: 'c' }}
  >
    <Menu.Item
      leftSection={<IconPencil size={14} aria-hidden />}
      onClick={() => onAdd({ title: 'New section', body: '' })}
    >
      Text
    </Menu.Item>
    <Menu.Label>Filled from the engagement</Menu.Label>
    {LIVE_TYPES.map((type) => (
      <Menu.Item
        key={type}
        leftSection={<IconBolt size={14} aria-hidden />}
        onClick={() => onAdd({ title: LIVE_LABELS[type], live: { type } })}
      >
        {LIVE_LABELS[type]}
      </Menu.Item>
    ))}
  </DropdownMenu>
)
