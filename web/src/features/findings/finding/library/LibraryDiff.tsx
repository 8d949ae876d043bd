import { Button, Group, Stack, Text } from '@mantine/core'
import type { Input, Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { messageOf, query, useApiMutation } from '../../../../api/api.ts'
import { staleFindingReads } from '../../../../domain/finding-words.tsx'
import { SeverityLabel } from '../../../../domain/SeverityLabel.tsx'
import { paths } from '../../../../paths.ts'
import { useOrganization } from '../../../../shell/context/organization.tsx'
import { QueryView } from '../../../../shell/reads/QueryView.tsx'
import { TextLink } from '../../../../shell/routing/links.tsx'
import { EmptyState } from '../../../../ui/feedback/EmptyState.tsx'
import { DiffLines } from '../../../../ui/text-merge/DiffLines.tsx'
import { toast, toastError } from '../../../../ui/toasts/toast.ts'
import classes from '../../findings.module.css'
import type { Finding } from '../../labels.ts'
import { reportReturn } from '../../use-set-finding.ts'
import { labelOfSection, SECTIONS } from '../texts/sections.ts'

type Difference = Output<'getLibraryDiff'>['data']
type Change = NonNullable<Input<'updateFinding'>['body']>

interface LibraryDiffProps {
  finding: Finding
  mayChange: boolean
}

/** Where the texts of a finding differ from the current version of its library entry. Each text can be taken over. */
export const LibraryDiff = ({ finding, mayChange }: LibraryDiffProps) => {
  const { id } = useOrganization()
  const read = useQuery({
    ...query(id, 'getLibraryDiff', { params: { findingId: finding.id }, query: {} }),
    retry: false,
  })
  return (
    <QueryView query={read}>
      {({ data }) => <Shown finding={finding} difference={data} mayChange={mayChange} />}
    </QueryView>
  )
}

const Shown = ({ finding, difference, mayChange }: LibraryDiffProps & { difference: Difference }) => {
  const { id, slug } = useOrganization()
  const router = useRouter()
  const update = useApiMutation(id, 'updateFinding', {
    invalidates: [...staleFindingReads(id), [id, 'getLibraryDiff']],
    onError: (error) => toastError(messageOf(error)),
    onSuccess: ({ meta }) => reportReturn(meta),
  })
  const params = { findingId: finding.id }
  const take = (change: Change) => update.mutate({ params, body: change })
  const { text, currentVersion } = difference
  const changed = SECTIONS.filter((section) => (difference.diff[section] ?? []).some(({ type }) => type !== 'same'))
  const hasOtherSeverity = difference.severity !== finding.severity || difference.cvssVector !== finding.cvssVector
  const isNewer = currentVersion > (finding.libraryVersion ?? 0)
  const markCompared = async () => {
    await update.mutateAsync({ params, body: { libraryVersion: currentVersion } }).catch(() => undefined)
    toast('Marked as compared.')
    await router.navigate({ href: paths.finding(slug, finding.engagementId, finding.id) })
  }
  return (
    <Stack gap="lg" className={classes.main}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          Lines with − are in this finding, lines with + in version {currentVersion} of{' '}
          <TextLink to={paths.libraryEntry(slug, difference.libraryEntryId)}>its library entry</TextLink>.
        </Text>
        {mayChange && isNewer && (
          <Button size="compact-sm" variant="default" loading={update.isPending} onClick={() => void markCompared()}>
            Mark as compared
          </Button>
        )}
      </Group>
      {changed.length === 0 && !hasOtherSeverity && (
        <EmptyState title="No differences">The finding has the texts of the library.</EmptyState>
      )}
      {hasOtherSeverity && (
        <section aria-label="Severity">
          <Group justify="space-between">
            <Text fw={600} size="sm">
              Severity
            </Text>
            {mayChange && (
              <Button
                size="xs"
                variant="default"
                loading={update.isPending}
                onClick={() => take({ severity: difference.severity, cvssVector: difference.cvssVector })}
              >
                Use the severity of the library
              </Button>
            )}
          </Group>
          <Group gap="sm">
            <SeverityLabel severity={finding.severity} />
            <Text size="sm" className="mono">
              {finding.cvssVector ?? 'No vector'}
            </Text>
            <Text size="sm" aria-hidden>
              →
            </Text>
            <SeverityLabel severity={difference.severity} />
            <Text size="sm" className="mono">
              {difference.cvssVector ?? 'No vector'}
            </Text>
          </Group>
        </section>
      )}
      {changed.map((section) => (
        <section key={section} aria-label={labelOfSection(section)}>
          <Group justify="space-between" mb={4}>
            <Text fw={600} size="sm">
              {labelOfSection(section)}
            </Text>
            {mayChange && (
              <Button
                size="xs"
                variant="default"
                loading={update.isPending}
                aria-label={`Use the text of the library for ${labelOfSection(section).toLowerCase()}`}
                onClick={() => take({ [section]: text[section], baseRevision: finding.revision })}
              >
                Use the text of the library
              </Button>
            )}
          </Group>
          <DiffLines passages={difference.diff[section] ?? []} />
        </section>
      ))}
    </Stack>
  )
}
