import { Suspense, useRef, useState } from 'react'
import { messageOf, patchCached, useApiMutation } from '../../../../api/api.ts'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { type AttachedFile, isPicture } from '../../../../shell/uploads/attached-file.ts'
import { Lightbox } from '../../../../shell/uploads/Lightbox.tsx'
import { lazyPart } from '../../../../ui/load-part.ts'
import { toastError } from '../../../../ui/toasts/toast.ts'
import classes from './evidence.module.css'
import { EvidenceItem } from './EvidenceItem.tsx'
import { SealedOriginals } from './SealedOriginals.tsx'

const EditEvidence = lazyPart(() => import('./EditEvidence.tsx'), 'EditEvidence')

interface EvidenceListProps {
  findingId: string
  files: readonly AttachedFile[]
  addressOf: (fileId: string) => string
  /** Absent for a reader. */
  onDelete: ((file: AttachedFile) => void) | undefined
}

/** Pieces of evidence in their order, which drag and the arrow keys change, with captions that are edited in place. */
export const EvidenceList = ({ findingId, files, addressOf, onDelete }: EvidenceListProps) => {
  const { id: organizationId } = useOrganization()
  const [openedId, setOpenedId] = useState<string>()
  const list = useRef<HTMLOListElement>(null)
  const [edited, setEdited] = useState<AttachedFile>()
  const [announced, setAnnounced] = useState('')
  const inOrder = files.filter(({ sealed }) => !sealed).toSorted(byPlace)
  const update = useApiMutation(organizationId, 'updateFindingFile', {
    invalidates: [[organizationId, 'listFindingFiles']],
    inOrder: `evidence/${findingId}`,
    optimistic: (cache, { params, body }) =>
      patchCached(cache, organizationId, 'listFindingFiles', (output) => ({
        ...output,
        data: changed(output.data, params.fileId, body ?? {}),
      })),
    onError: (error) => toastError(messageOf(error)),
  })
  const move = (file: AttachedFile, to: number) => {
    const position = Math.max(0, Math.min(inOrder.length - 1, to))
    if (inOrder[position]?.id === file.id) return
    update.mutate({ params: { findingId, fileId: file.id }, body: { position } })
    setAnnounced(`${file.fileName} is now ${position + 1} of ${inOrder.length}.`)
  }
  return (
    <>
      <ol ref={list} className={classes.list} aria-label="Pieces of evidence" tabIndex={-1}>
        {inOrder.map((file, index) => (
          <EvidenceItem
            key={file.id}
            file={file}
            index={index}
            address={addressOf(file.id)}
            onOpen={() => setOpenedId(file.id)}
            {...(onDelete && {
              change: {
                caption: (caption) => update.mutate({ params: { findingId, fileId: file.id }, body: { caption } }),
                move: (to) => move(file, to),
                place: (id, to) => {
                  const dragged = inOrder.find((other) => other.id === id)
                  const from = inOrder.findIndex((other) => other.id === id)
                  if (dragged) move(dragged, from < to ? to - 1 : to)
                },
                remove: () => onDelete(file),
                ...(isPicture(file) && { edit: () => setEdited(file) }),
              },
            })}
          />
        ))}
      </ol>
      <div className="visually-hidden" role="status">
        {announced}
      </div>
      <SealedOriginals
        findingId={findingId}
        files={files.filter(({ sealed }) => sealed)}
        {...(onDelete && { onDelete })}
      />
      {edited && (
        <Suspense>
          <EditEvidence
            findingId={findingId}
            file={edited}
            address={addressOf(edited.id)}
            onClose={() => {
              setEdited(undefined)
              // The button that opened the editor is gone if its picture was replaced.
              requestAnimationFrame(() => {
                if (document.activeElement === document.body) list.current?.focus()
              })
            }}
          />
        </Suspense>
      )}
      <Lightbox pictures={inOrder.filter(isPicture)} addressOf={addressOf} openedId={openedId} onOpen={setOpenedId} />
    </>
  )
}

type Placed = Pick<AttachedFile, 'id' | 'position' | 'sealed'>

/** Files without a place come after the others, oldest first, and sealed ones last. */
const byPlace = (a: Placed, b: Placed): number =>
  Number(a.sealed) - Number(b.sealed) ||
  (a.position ?? Number.POSITIVE_INFINITY) - (b.position ?? Number.POSITIVE_INFINITY) ||
  (a.id < b.id ? -1 : 1)

/** The files after a change, as the server will show them. */
const changed = <F extends AttachedFile>(
  files: readonly F[],
  fileId: string,
  { caption, position }: { caption?: string; position?: number },
): F[] => {
  const withCaption = files.map((file) => (file.id === fileId && caption !== undefined ? { ...file, caption } : file))
  const moved = withCaption.find(({ id }) => id === fileId)
  if (position === undefined || !moved) return withCaption
  return withCaption
    .toSorted(byPlace)
    .filter(({ id }) => id !== fileId)
    .toSpliced(position, 0, moved)
    .map((file, place) => ({ ...file, position: place }))
}
