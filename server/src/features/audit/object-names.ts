/** Fields of an entry with the name of its object at that time. */
export const OWN_NAMES = ['name', 'fullName', 'domain', 'fileName', 'pattern', 'canonical', 'title'] as const

/** The first of these fields that is a text in the entry. */
export const nameIn = (
  { before, after }: { before: unknown; after: unknown },
  fields: readonly string[],
): string | undefined => {
  const snapshots = [after, before] as (Record<string, unknown> | null)[]
  const values = snapshots.flatMap((snapshot) => fields.map((field) => snapshot?.[field]))
  return values.find((value) => typeof value === 'string')
}

interface NamedEntry {
  object_type: string
  object_id: string | null
  before: unknown
  after: unknown
}

/** The object whose name an entry shows: for a comment, what it is on. */
export const namedBy = ({ object_type, object_id, before, after }: NamedEntry): string | undefined => {
  const fields = { ...(before as object | null), ...(after as object | null) } as Record<
    (typeof PARENTS)[number],
    unknown
  >
  const parent =
    object_type === 'comment' ? PARENTS.map((name) => fields[name]).find((id) => typeof id === 'string') : fields.taskId
  return typeof parent === 'string' ? parent : (object_id ?? undefined)
}

const PARENTS = ['taskId', 'resultId', 'findingId', 'reportId'] as const
