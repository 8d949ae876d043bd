import { ActionIcon, Group } from '@mantine/core'
import type { Icon } from '../icons.tsx'
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowUpRight,
  IconCrop,
  IconLetterT,
  IconNumber1,
  IconPointer,
  IconRedaction,
  IconSquare,
  IconTrash,
  IconZoomIn,
  IconZoomOut,
} from '../page-icons.tsx'
import type { MarkKind } from './drawing/marks.ts'
import classes from './image-editor.module.css'
import type { Marks } from './use-marks.ts'
import type { StageSize } from './use-stage.ts'

export type Tool = MarkKind | 'select'

export const TOOLS: readonly { tool: Tool; label: string; key: string; icon: Icon }[] = [
  { tool: 'select', label: 'Select', key: 'V', icon: IconPointer },
  { tool: 'redaction', label: 'Redact', key: 'R', icon: IconRedaction },
  { tool: 'crop', label: 'Crop', key: 'C', icon: IconCrop },
  { tool: 'arrow', label: 'Arrow', key: 'A', icon: IconArrowUpRight },
  { tool: 'box', label: 'Box', key: 'B', icon: IconSquare },
  { tool: 'number', label: 'Number', key: 'N', icon: IconNumber1 },
  { tool: 'text', label: 'Text', key: 'T', icon: IconLetterT },
]

interface ToolsProps {
  tool: Tool
  onTool: (tool: Tool) => void
  marks: Marks
  stage: StageSize
  disabled: boolean
}

export const Tools = ({ tool, onTool, marks, stage, disabled }: ToolsProps) => {
  const { selected } = marks
  return (
    <div className={classes.tools}>
      <div role="group" aria-label="Tools" className={classes.group}>
        {TOOLS.map(({ tool: one, label, key, icon: ToolIcon }) => (
          <button
            key={one}
            type="button"
            className={classes.tool}
            aria-pressed={tool === one}
            aria-keyshortcuts={key}
            title={`${label} (${key})`}
            disabled={disabled}
            onClick={() => onTool(one)}
          >
            <ToolIcon size={18} aria-hidden />
            <span>{label}</span>
          </button>
        ))}
      </div>
      <Group role="group" aria-label="Changes" gap={4} wrap="nowrap">
        <ActionIcon
          size="lg"
          aria-label="Undo"
          title="Undo (Ctrl+Z)"
          disabled={disabled || !marks.canUndo}
          onClick={marks.undo}
        >
          <IconArrowBackUp size={18} aria-hidden />
        </ActionIcon>
        <ActionIcon
          size="lg"
          aria-label="Redo"
          title="Redo (Ctrl+Shift+Z)"
          disabled={disabled || !marks.canRedo}
          onClick={marks.redo}
        >
          <IconArrowForwardUp size={18} aria-hidden />
        </ActionIcon>
        <ActionIcon
          size="lg"
          aria-label="Remove the selected mark"
          title="Remove (Delete)"
          disabled={disabled || !selected}
          onClick={() => selected && marks.remove(selected.id)}
        >
          <IconTrash size={18} aria-hidden />
        </ActionIcon>
        <ActionIcon size="lg" aria-label="Zoom out" title="Zoom out (-)" onClick={() => stage.zoomBy(-1)}>
          <IconZoomOut size={18} aria-hidden />
        </ActionIcon>
        <ActionIcon size="lg" aria-label="Zoom in" title="Zoom in (+)" onClick={() => stage.zoomBy(1)}>
          <IconZoomIn size={18} aria-hidden />
        </ActionIcon>
      </Group>
    </div>
  )
}
