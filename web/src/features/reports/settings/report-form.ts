import type { Report } from '../../../domain/reports/report-words.tsx'

type Filter = Report['findingFilter']

/** The findings of a report as a form shows them. */
export interface FindingChoice {
  mode: 'all' | 'filter' | 'ids'
  severity: string[]
  state: string[]
  status: string[]
  tag: string
  ids: string[]
}

const listOf = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.filter((each) => typeof each === 'string')
  return typeof value === 'string' && value !== '' ? value.split(',') : []
}

const choiceOf = (filter: Filter): FindingChoice => {
  const { ids, ...others } = filter
  return {
    mode: ids ? 'ids' : Object.keys(others).length > 0 ? 'filter' : 'all',
    severity: listOf(filter.severity),
    state: listOf(filter.state),
    status: listOf(filter.status),
    tag: listOf(filter.tag).join(', '),
    ids: ids ?? [],
  }
}

/** The filter of a report. @param before its filters that the form does not show stay */
export const filterOf = (choice: FindingChoice, before: Filter): Filter => {
  if (choice.mode === 'all') return {}
  if (choice.mode === 'ids') return { ids: choice.ids }
  const { severity: _severity, state: _state, status: _status, tag: _tag, ids: _ids, ...others } = before
  const tags = choice.tag
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)
  return {
    ...others,
    ...(choice.severity.length > 0 && { severity: choice.severity as NonNullable<Filter['severity']> }),
    ...(choice.state.length > 0 && { state: choice.state as NonNullable<Filter['state']> }),
    ...(choice.status.length > 0 && { status: choice.status as NonNullable<Filter['status']> }),
    ...(tags.length > 0 && { tag: tags }),
  }
}

/** What the form of a report starts from. */
export const savedOf = ({ title, kind, language, templateId, authors, findingFilter, options, updatedAt }: Report) => ({
  values: {
    title,
    kind,
    language,
    templateId,
    authorIds: authors.map(({ id }) => id),
    findings: choiceOf(findingFilter),
    options,
  },
  version: updatedAt,
})
