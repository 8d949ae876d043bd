import { ActionIcon } from '@mantine/core'
import { useState } from 'react'
import { IconTrash } from '../../ui/page-icons.tsx'
import type { AttachedFile } from './attached-file.ts'
import { Lightbox } from './Lightbox.tsx'
import classes from './uploads.module.css'

interface PicturesProps {
  pictures: readonly AttachedFile[]
  addressOf: (fileId: string) => string
  /** Absent for a reader. */
  onDelete?: (picture: AttachedFile) => void
}

/** Thumbnails with their names; each opens the picture over the page, where the arrow keys lead to the others. */
export const Pictures = ({ pictures, addressOf, onDelete }: PicturesProps) => {
  const [openedId, setOpenedId] = useState<string>()
  if (pictures.length === 0) return null
  return (
    <>
      <ul className={classes.thumbnails}>
        {pictures.map((picture) => (
          <li key={picture.id}>
            <button
              type="button"
              className={classes.thumbnail}
              aria-label={`Open ${picture.fileName}`}
              onClick={() => setOpenedId(picture.id)}
            >
              <img src={addressOf(picture.id)} alt="" loading="lazy" />
            </button>
            <span className={classes.caption} title={picture.fileName}>
              {picture.fileName}
            </span>
            {onDelete && (
              <ActionIcon size="sm" aria-label={`Delete ${picture.fileName}`} onClick={() => onDelete(picture)}>
                <IconTrash size={14} aria-hidden />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
      <Lightbox pictures={pictures} addressOf={addressOf} openedId={openedId} onOpen={setOpenedId} />
    </>
  )
}
