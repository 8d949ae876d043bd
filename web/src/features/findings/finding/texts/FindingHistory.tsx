import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { messageOf, query, useApiMutation } from '../../../../api/api.ts'
import { rows } from '../../../../api/rows.ts'
import { staleFindingReads } from '../../../../domain/finding-words.tsx'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { useParts } from '../../../../shell/reads/parts.tsx'
import { QueryView } from '../../../../shell/reads/QueryView.tsx'
import { Revisions } from '../../../../shell/texts/Revisions.tsx'
import { DiffLines } from '../../../../ui/text-merge/DiffLines.tsx'
import { toast, toastError } from '../../../../ui/toasts/toast.ts'
import type { Finding } from '../../labels.ts'
import { labelOfSection, SECTIONS } from './sections.ts'

/** Revisions of the texts, with the changes of each. */
export const FindingHistory = ({ finding, mayRestore }: { finding: Finding; mayRestore: boolean }) => {
  const { id } = useOrganization()
  const list = useParts(rows(id, 'listFindingRevisions', { params: { findingId: finding.id } }))
  return (
    <Revisions
      list={list}
      current={finding.revision}
      render={(revision, before) => (
        <Revision finding={finding} revision={revision} before={before} mayRestore={mayRestore} />
      )}
    />
  )
}

interface RevisionProps {
  finding: Finding
  revision: number
  before: number | undefined
  mayRestore: boolean
}

const Revision = ({ finding, revision, before, mayRestore }: RevisionProps) => {
  const organization = useOrganization()
  const params = { findingId: finding.id, revision: String(revision) }
  const shown = useQuery(
    query(organization.id, 'getFindingRevision', { params, query: before === undefined ? {} : { against: before } }),
  )
  const restore = useApiMutation(organization.id, 'restoreFindingRevision', {
    invalidates: staleFindingReads(organization.id),
    onSuccess: () => toast('Restored as a new revision.'),
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <>
      <Group justify="space-between">
        <Text fw={600}>Revision {revision}</Text>
        {mayRestore && revision !== finding.revision && (
          <Button size="xs" variant="default" loading={restore.isPending} onClick={() => restore.mutate({ params })}>
            Restore these texts
          </Button>
        )}
      </Group>
      <QueryView query={shown}>
        {({ data }) => {
          const changed = SECTIONS.map((section) => {
            const passages =
              data.diff?.[section] ??
              (data[section] === '' ? [] : [{ type: 'same' as const, lines: data[section].split('\n') }])
            return { section, passages: data.diff && passages.every(({ type }) => type === 'same') ? [] : passages }
          }).filter(({ passages }) => passages.length > 0)
          if (changed.length === 0) return <Text c="dimmed">No text in this revision.</Text>
          return (
            <Stack gap="md">
              {changed.map(({ section, passages }) => (
                <section key={section} aria-label={labelOfSection(section)}>
                  <Text fw={600} size="sm" mt="sm">
                    {labelOfSection(section)}
                  </Text>
                  <DiffLines passages={passages} />
                </section>
              ))}
            </Stack>
          )
        }}
      </QueryView>
    </>
  )
}
