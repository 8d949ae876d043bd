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
