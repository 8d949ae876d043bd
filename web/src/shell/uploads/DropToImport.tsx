import { useNavigate } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { IconFileImport } from '../../ui/icons.tsx'
import { toastError } from '../../ui/toasts/toast.ts'
import { useEngagement } from '../context/engagement.tsx'
import { useOrganization } from '../context/organization.tsx'
import { useDroppedFiles } from './dropped-files.ts'
import { importDestination } from './import-destination.ts'
import classes from './uploads.module.css'
import { useUploads } from './uploads.tsx'
import { useSeenTimes } from './use-seen-times.tsx'

/** Imports files dropped anywhere in an engagement with default options, unless another drop zone takes them. */
export const DropToImport = () => {
  const { slug } = useOrganization()
  const { engagement, isArchived } = useEngagement()
  const { add } = useUploads()
  const navigate = useNavigate()
  const { send, dialog } = useSeenTimes((file, time) => {
    add([file], importDestination(engagement.id, { ...time }))
    void navigate({ to: paths.imports(slug, engagement.id) })
  })
  const isOver = useDroppedFiles(isArchived ? undefined : () => window, (files) => {
    const outputs = files.filter(({ type }) => !type.startsWith('image/'))
    if (outputs.length === 0)
      return toastError(
        'An image is not scanner output. Drop it on the evidence of a result, on a task or on a wiki page.',
      )
    send(outputs)
  })
  if (!isOver) return dialog
  return (
    <div className={classes.overlay} aria-hidden>
      <IconFileImport size={28} stroke={1.5} />
      Drop to import into {engagement.name}
    </div>
  )
}
