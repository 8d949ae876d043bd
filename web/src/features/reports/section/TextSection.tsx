import type { Output } from '@sortie/client/calls.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef } from 'react'
import { call, linkTo, query } from '../../../api/api.ts'
import { type Report, type ReportSection, staleReportReads } from '../../../domain/reports/report-words.tsx'
import { TextEditor } from '../../../forms/texts/TextEditor.tsx'
import { type StoredTexts, useAutosave } from '../../../forms/texts/use-autosave.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { usePlaceholders } from '../../../shell/fields/custom/use-placeholders.ts'
import { findNameable } from '../../../shell/texts/find-nameable.ts'
import { uploadIntoText } from '../../../shell/texts/upload-into-text.ts'
import { useShortcuts } from '../../../ui/commands/commands.ts'
import { IconEdit } from '../../../ui/page-icons.tsx'
import type { OpenEditor } from '../../../ui/text-editor/code-editor.ts'
import { reportReturn } from '../outline/use-sections.ts'
import classes from '../reports.module.css'
import { SectionHead } from './SectionHead.tsx'

type Name = 'body'
const NAMES: readonly Name[] = ['body']
const NOTHING = { text: '', from: 0, to: 0 }

const storedOf = ({ revision, body }: ReportSection): StoredTexts<Name> => ({
  revision,
  texts: { body },
  isTrashed: false,
})

interface TextSectionProps {
  report: Report
  section: ReportSection
  mayChange: boolean
  /** Receives what saves the typed text. */
  finishRef: RefObject<(() => Promise<void>) | undefined>
  /** Receives what reads the selection of the editor. */
  selectionRef: RefObject<OpenEditor['selection'] | undefined>
  /** Words to select. */
  quote: { words: string; at: number } | undefined
}

/** Edits the text of a section. It saves itself, merged with what others save. */
export const TextSection = ({ report, section, mayChange, finishRef, selectionRef, quote }: TextSectionProps) => {
  const { id: organizationId } = useOrganization()
  const cache = useQueryClient()
  const placeholders = usePlaceholders()
  const editors = useRef(new Map<Name, OpenEditor>())
  const ofReport = { reportId: report.id }
  const params = { ...ofReport, sectionId: section.id }
  const { queryKey } = query(organizationId, 'getReport', { params: ofReport })
  const autosave = useAutosave<Name>({
    of: `report/${report.id}/${section.id}`,
    sections: NAMES,
    stored: storedOf(section),
    save: async (changed, baseRevision) => {
      const { data, meta } = await call(
        organizationId,
        'updateReportSection',
        { params, body: { ...changed, baseRevision } },
        { retries: 0 },
      )
      cache.setQueryData<Output<'getReport'>>(queryKey, (read) =>
        read
          ? {
              ...read,
              data: { ...read.data, sections: read.data.sections.map((each) => (each.id === data.id ? data : each)) },
            }
          : read,
      )
      for (const stale of staleReportReads(organizationId))
        if (stale[1] !== 'getReport' || meta.returnedToReview) void cache.invalidateQueries({ queryKey: stale })
      reportReturn(meta)
      return storedOf(data)
    },
    read: async () => {
      const { data } = await call(organizationId, 'getReport', { params: ofReport })
      const found = data.sections.find(({ id }) => id === section.id)
      return found ? storedOf(found) : { ...storedOf(section), isTrashed: true }
    },
    editors,
  })
  const { draft } = autosave
  const latest = useRef(autosave)
  latest.current = autosave
  useEffect(() => {
    finishRef.current = () => (latest.current.hasChanges() ? latest.current.finish() : Promise.resolve())
    return () => {
      finishRef.current = undefined
    }
  }, [finishRef])
  useEffect(() => {
    selectionRef.current = () => editors.current.get('body')?.selection() ?? NOTHING
    return () => {
      selectionRef.current = undefined
    }
  }, [selectionRef])
  useEffect(() => {
    if (!quote || draft === undefined) return undefined
    // The editor is opened once its part is loaded.
    const timer = setInterval(() => {
      const editor = editors.current.get('body')
      if (!editor) return
      clearInterval(timer)
      editor.select(quote.words)
    }, 50)
    return () => clearInterval(timer)
  }, [quote, draft])
  useShortcuts(
    mayChange
      ? [
          {
            id: 'edit-text',
            label: 'Edit the text of the section',
            group: 'This page',
            icon: IconEdit,
            shortcut: 'e',
            run: () => editors.current.get('body')?.focus(),
          },
        ]
      : [],
  )
  return (
    <div className={classes.section}>
      <SectionHead report={report} section={section} mayChange={mayChange} />
      <div className={classes.editor}>
        <TextEditor
          sections={[{ name: 'body', label: 'Text of the section' }]}
          autosave={autosave}
          editors={editors}
          isWritable={mayChange}
          whyNot="This engagement is archived. Saving is off. What you typed is kept in this browser."
          linkLabel="Link to an object"
          find={(words) => findNameable(organizationId, undefined, words)}
          fileAddress={(fileId) => linkTo(organizationId, 'downloadReportFile', { params: { ...ofReport, fileId } })}
          upload={(file) => uploadIntoText(organizationId, 'uploadReportFile', ofReport, file)}
          isOpenedQuietly
          placeholders={placeholders}
        />
      </div>
    </div>
  )
}
