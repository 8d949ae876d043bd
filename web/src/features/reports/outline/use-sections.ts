import type { Input, Output } from '@sortie/client/calls.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, messageOf, query, reportFailure, useApiMutation } from '../../../api/api.ts'
import { type Report, type ReportSection, staleReportReads } from '../../../domain/reports/report-words.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { toastWithUndo } from '../../../ui/toasts/toast-with-undo.tsx'
import { toast, toastError } from '../../../ui/toasts/toast.ts'

export type Side = 'before' | 'after'
type NewSection = Input<'createReportSection'>['body']
type SectionChange = Omit<NonNullable<Input<'updateReportSection'>['body']>, 'body' | 'baseRevision'>

/** Reports that a change made a new review necessary. */
export const reportReturn = ({ returnedToReview }: { returnedToReview: boolean }): void => {
  if (returnedToReview) toast('The report was approved: it is in review again.')
}

/** Adds, changes, moves and deletes sections of a report. The outline shows it at once; a refusal restores it. */
export const useSections = (report: Report) => {
  const { id } = useOrganization()
  const cache = useQueryClient()
  const [announced, setAnnounced] = useState('')
  const params = { reportId: report.id }
  const { queryKey } = query(id, 'getReport', { params })
  const show = (sections: (before: ReportSection[]) => ReportSection[]) =>
    cache.setQueryData<Output<'getReport'>>(queryKey, (read) =>
      read ? { ...read, data: { ...read.data, sections: sections(read.data.sections) } } : read,
    )
  const refresh = () => {
    for (const key of staleReportReads(id)) void cache.invalidateQueries({ queryKey: key })
  }
  const onError = (error: Error) => toastError(messageOf(error))
  const options = { invalidates: staleReportReads(id), inOrder: `report-sections/${report.id}`, onError }
  const mover = useApiMutation(id, 'moveReportSection', options)
  const updater = useApiMutation(id, 'updateReportSection', { ...options, onSuccess: ({ meta }) => reportReturn(meta) })
  const remover = useApiMutation(id, 'deleteReportSection', options)

  const move = (section: ReportSection, side: Side, other: ReportSection) => {
    if (section.id === other.id) return
    void cache.cancelQueries({ queryKey })
    show((before) => {
      const others = before.filter((each) => each.id !== section.id)
      const place = others.findIndex((each) => each.id === other.id)
      return place < 0 ? before : others.toSpliced(side === 'before' ? place : place + 1, 0, section)
    })
    setAnnounced(`${nameOf(section)} was moved ${side} ${nameOf(other)}.`)
    mover.mutate({
      params: { ...params, sectionId: section.id },
      body: side === 'before' ? { beforeId: other.id } : { afterId: other.id },
    })
  }

  const update = (section: ReportSection, change: SectionChange) => {
    void cache.cancelQueries({ queryKey })
    show((before) =>
      before.map((each) =>
        each.id === section.id
          ? {
              ...each,
              ...change,
              live: change.live ? { ...change.live, options: change.live.options ?? {} } : each.live,
            }
          : each,
      ),
    )
    updater.mutate({ params: { ...params, sectionId: section.id }, body: change })
  }

  /** @returns the new section, directly after another one; undefined if the server refuses it */
  const add = async (body: NewSection, after: ReportSection | undefined): Promise<ReportSection | undefined> => {
    try {
      const { data } = await call(id, 'createReportSection', { params, body }, { retries: 0 })
      if (after)
        await call(
          id,
          'moveReportSection',
          { params: { ...params, sectionId: data.id }, body: { afterId: after.id } },
          { retries: 0 },
        )
      // Shown before it is opened: the page opens what the outline has.
      await cache.fetchQuery(query(id, 'getReport', { params }))
      return data
    } catch (error) {
      reportFailure(error)
      toastError(messageOf(error))
      return undefined
    } finally {
      refresh()
    }
  }

  const restore = async (
    section: ReportSection,
    before: ReportSection | undefined,
    after: ReportSection | undefined,
  ) => {
    const { key, title, body, live, hidden } = section
    const added = await add({ key, title, ...(live ? { live } : { body }) }, before)
    if (added && hidden) update(added, { hidden })
    if (added && !before && after) move(added, 'before', after)
  }

  const remove = (section: ReportSection) => {
    const place = report.sections.findIndex((each) => each.id === section.id)
    const [before, after] = [report.sections[place - 1], report.sections[place + 1]]
    show((sections) => sections.filter((each) => each.id !== section.id))
    remover.mutate(
      { params: { ...params, sectionId: section.id } },
      { onSuccess: () => toastWithUndo(`Deleted ${nameOf(section)}.`, () => void restore(section, before, after)) },
    )
  }

  return { announced, move, update, add, remove }
}

export type Sections = ReturnType<typeof useSections>

export const nameOf = ({ title }: Pick<ReportSection, 'title'>): string => title || 'Untitled section'
