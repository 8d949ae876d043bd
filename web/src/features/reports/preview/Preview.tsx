import { ActionIcon, Loader } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { linkTo, query } from '../../../api/api.ts'
import type { Report, ReportSection } from '../../../domain/reports/report-words.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { LoadFailed } from '../../../ui/feedback/Notice.tsx'
import { IconArrowsDiagonal } from '../../../ui/page-icons.tsx'
import { reusePictures } from './frame-pictures.ts'
import { keepPlace, refusalIn, showSection } from './frame-place.ts'
import classes from './preview.module.css'

/** Changes often come several at once: the preview is read once for all of them. */
const QUIET_MS = 400

interface PreviewProps {
  report: Report
  /** The section that is edited. */
  shown: ReportSection | undefined
}

/**
 * The report as one document without scripts, in a sandboxed frame. It is read again after each change, behind the one
 * that is shown, and stays at the place that is edited.
 */
export const Preview = ({ report, shown }: PreviewProps) => {
  const { id } = useOrganization()
  const params = { reportId: report.id }
  // The document is read by the frame; the read only counts its versions, and follows events as others do.
  const read = useQuery({
    queryKey: query(id, 'previewReport', { params }).queryKey,
    queryFn: () => Promise.resolve(Date.now()),
  })
  const [wanted] = useDebouncedValue(read.data, QUIET_MS)
  const [ready, setReady] = useState<number>()
  const [refusal, setRefusal] = useState<string>()
  const frames = useRef(new Map<number, HTMLIFrameElement>())
  // Pictures come with the first version; later ones take them from the version before. A version keeps its address.
  const whole = useRef(new Map<number, boolean>())
  const [, setRetaken] = useState<number>()
  const addressOf = (version: number) => {
    const isWhole = whole.current.get(version) ?? ready === undefined
    whole.current.set(version, isWhole)
    return linkTo(id, 'previewReport', { params, query: { pictures: isWhole ? 'named' : 'omitted' } })
  }
  const section = useRef(shown)
  section.current = shown
  const shownId = shown?.id
  const readyRef = useRef(ready)
  readyRef.current = ready

  useEffect(() => {
    const frame = readyRef.current === undefined ? undefined : frames.current.get(readyRef.current)
    if (frame && section.current) showSection(frame, section.current)
  }, [shownId])

  const onLoad = (version: number) => {
    const frame = frames.current.get(version)
    if (!frame) return
    const refused = refusalIn(frame)
    setRefusal(refused)
    const before = ready === undefined ? undefined : frames.current.get(ready)
    // A picture is new: this version is read again, with all of them.
    if (refused === undefined && !reusePictures(before, frame)) {
      whole.current.set(version, true)
      setRetaken(version)
      return
    }
    if (section.current) {
      if (before) keepPlace(before, frame, section.current)
      else showSection(frame, section.current)
    }
    setReady(version)
  }

  const first = wanted ?? read.data
  const versions = [...new Set([ready, first])].filter((version) => version !== undefined)
  const isReading = first !== undefined && first !== ready
  return (
    <section className={classes.preview} aria-label="Preview" aria-busy={isReading}>
      {refusal !== undefined && <LoadFailed message={refusal} onRetry={() => void read.refetch()} />}
      <div className={classes.frames} hidden={refusal !== undefined}>
        {versions.map((version) => (
          <iframe
            key={version}
            ref={(frame) => {
              if (frame) frames.current.set(version, frame)
              else frames.current.delete(version)
            }}
            className={classes.frame}
            title="Preview of the report"
            // The page may read where the document is scrolled to; nothing in it runs.
            sandbox="allow-same-origin"
            src={addressOf(version)}
            data-ready={version === ready || undefined}
            {...(version !== ready && { 'aria-hidden': true, tabIndex: -1 })}
            onLoad={() => onLoad(version)}
          />
        ))}
        {isReading && (
          <span className={classes.busy} role="status" aria-label="The preview is being read">
            <Loader size={14} />
          </span>
        )}
        <ActionIcon
          component="a"
          href={linkTo(id, 'previewReport', { params })}
          target="_blank"
          rel="noopener"
          variant="default"
          size={26}
          className={classes.open}
          aria-label="Open the preview in a tab"
          title="Open the preview in a tab"
        >
          <IconArrowsDiagonal size={14} aria-hidden />
        </ActionIcon>
      </div>
    </section>
  )
}
