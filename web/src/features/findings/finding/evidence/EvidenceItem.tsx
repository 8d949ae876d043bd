import { ActionIcon, Anchor, Text } from '@mantine/core'
import { MAX_CAPTION } from '@sortie/contract/core/files.ts'
import { TextValue } from '../../../../shell/fields/custom/CustomFields.tsx'
import { type AttachedFile, isPicture } from '../../../../shell/uploads/attached-file.ts'
import { IconEdit, IconGripVertical, IconTrash } from '../../../../ui/page-icons.tsx'
import { formatBytes } from '../../../../ui/values/format-bytes.ts'
import classes from './evidence.module.css'
import { useDraggedEvidence } from './use-dragged-evidence.ts'

interface EvidenceItemProps {
  file: AttachedFile
  index: number
  address: string
  onOpen: () => void
  /** Absent for a reader. */
  change?: {
    caption: (caption: string) => void
    move: (to: number) => void
    /** Puts another piece before the place `to`. */
    place: (id: string, to: number) => void
    remove: () => void
    /** Absent for what is not a picture. */
    edit?: () => void
  }
}

/** One piece of evidence. Its handle drags it; with the focus on the handle, the arrow keys move it. */
export const EvidenceItem = ({ file, index, address, onOpen, change }: EvidenceItemProps) => {
  const { item, handle } = useDraggedEvidence(file.id, index, change?.place)
  return (
    <li ref={item} className={classes.item}>
      {change && (
        <button
          ref={handle}
          type="button"
          className={classes.handle}
          aria-label={`Move ${file.fileName}`}
          title="Drag to move, or press an arrow key"
          onKeyDown={(event) => {
            if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
            event.preventDefault()
            // The rows of a page listen to arrow keys, too.
            event.stopPropagation()
            change.move(index + (event.key === 'ArrowUp' ? -1 : 1))
          }}
        >
          <IconGripVertical size={15} aria-hidden />
        </button>
      )}
      {isPicture(file) ? (
        <button type="button" className={classes.thumbnail} aria-label={`Open ${file.fileName}`} onClick={onOpen}>
          <img src={address} alt="" loading="lazy" />
        </button>
      ) : (
        <span className={classes.kind} aria-hidden>
          {file.fileName.split('.').at(-1)?.slice(0, 4).toUpperCase()}
        </span>
      )}
      <div className={classes.words}>
        {change ? (
          <TextValue
            size="xs"
            aria-label={`Caption of ${file.fileName}`}
            placeholder="Add a caption"
            maxLength={MAX_CAPTION}
            value={file.caption}
            onTake={change.caption}
          />
        ) : (
          file.caption && <Text size="sm">{file.caption}</Text>
        )}
        <Text size="xs" c="dimmed" component="div" truncate>
          <Anchor href={address} download={file.fileName} inherit c="inherit">
            {file.fileName}
          </Anchor>{' '}
          · {formatBytes(file.size)}
        </Text>
      </div>
      {change?.edit && (
        <ActionIcon size="sm" aria-label={`Edit ${file.fileName}`} title="Edit image" onClick={change.edit}>
          <IconEdit size={14} aria-hidden />
        </ActionIcon>
      )}
      {change && (
        <ActionIcon size="sm" aria-label={`Delete ${file.fileName}`} onClick={change.remove}>
          <IconTrash size={14} aria-hidden />
        </ActionIcon>
      )}
    </li>
  )
}
