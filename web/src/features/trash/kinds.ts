/** The lists of the trash page. Findings and wiki pages have a trash in their own lists. */
export const TRASH_KINDS = ['results', 'targets', 'scope', 'tasks'] as const
export type TrashKind = (typeof TRASH_KINDS)[number]

export const KIND_LABELS: Record<TrashKind, string> = {
  results: 'Results',
  targets: 'Targets',
  scope: 'Scope rules',
  tasks: 'Tasks',
}

export interface DeletedListProps {
  /** Part of the text of the rows. */
  q: string | undefined
  onFilter: (q: string | undefined) => void
}
