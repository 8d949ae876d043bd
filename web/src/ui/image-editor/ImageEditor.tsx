import { Loader } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Dialog } from '../dialogs/Dialog.tsx'
import { FormError } from '../fields/FormError.tsx'
import { type EditedPicture, loadPicture, type Picture, PictureError } from './drawing/picture.ts'
import { Editor } from './Editor.tsx'
import classes from './image-editor.module.css'

interface ImageEditorProps {
  fileName: string
  address: string
  mediaType: string
  /** @throws Error with a message for people */
  onSave: (edited: EditedPicture) => Promise<void>
  onClose: () => void
}

/** Edits a picture: crop, arrow, box, number, text and redaction. What it saves has nothing of what is hidden. */
export const ImageEditor = ({ fileName, address, mediaType, onSave, onClose }: ImageEditorProps) => {
  const [picture, setPicture] = useState<Picture>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    const abort = new AbortController()
    let loaded: Picture | undefined
    loadPicture(address, mediaType, abort.signal)
      .then((read) => {
        loaded = read
        if (abort.signal.aborted) read.bitmap.close()
        else setPicture(read)
      })
      .catch((error: unknown) => {
        if (!abort.signal.aborted)
          setProblem(
            error instanceof PictureError
              ? error.message
              : 'The picture cannot be read. Close the editor and try again.',
          )
      })
    return () => {
      abort.abort()
      loaded?.bitmap.close()
    }
  }, [address, mediaType])
  return (
    <Dialog opened onClose={onClose} title={`Edit ${fileName}`} fills>
      {picture ? (
        <Editor picture={picture} fileName={fileName} onSave={onSave} onClose={onClose} />
      ) : (
        <div className={classes.waiting}>
          {problem === undefined ? <Loader aria-label="The picture is loading" /> : <FormError message={problem} />}
        </div>
      )}
    </Dialog>
  )
}
