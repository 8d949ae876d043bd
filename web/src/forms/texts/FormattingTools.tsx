import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconCode, IconTable } from '../../ui/icons.tsx'
import {
  IconBold,
  IconCheckbox,
  IconHeading,
  IconItalic,
  IconLink,
  IconList,
  IconPaperclip,
} from '../../ui/page-icons.tsx'
import type { OpenEditor } from '../../ui/text-editor/code-editor.ts'
import { TABLE } from '../../ui/text-editor/table.ts'

interface FormattingToolsProps {
  /** The editor that the buttons change: the last one with the focus. */
  editor: () => OpenEditor | undefined
  linkLabel: string
  onChooseFiles: () => void
  /** Further buttons. */
  children: ReactNode
}

export const FormattingTools = ({ editor, linkLabel, onChooseFiles, children }: FormattingToolsProps) => {
  const tools = [
    { label: 'Heading', icon: IconHeading, use: () => editor()?.prefixLines('## ') },
    { label: 'Bold', keys: 'Ctrl+B', icon: IconBold, use: () => editor()?.wrap('**', '**') },
    { label: 'Italic', keys: 'Ctrl+I', icon: IconItalic, use: () => editor()?.wrap('*', '*') },
    { label: 'Code', icon: IconCode, use: () => editor()?.wrap('`', '`') },
    { label: linkLabel, icon: IconLink, use: () => editor()?.wrap('[[', ']]') },
    { label: 'List', icon: IconList, use: () => editor()?.prefixLines('- ') },
    { label: 'Checklist', icon: IconCheckbox, use: () => editor()?.prefixLines('- [ ] ') },
    { label: 'Table', icon: IconTable, use: () => editor()?.insertBlock(TABLE) },
    { label: 'File', icon: IconPaperclip, use: onChooseFiles },
  ]
  return (
    <Group gap={4} role="toolbar" aria-label="Formatting">
      {tools.map(({ label, keys, icon: Icon, use }) => (
        <Button
          key={label}
          size="compact-sm"
          variant="default"
          aria-label={label}
          title={keys ? `${label} (${keys})` : label}
          onClick={use}
        >
          <Icon size={15} aria-hidden />
        </Button>
      ))}
      {children}
    </Group>
  )
}
