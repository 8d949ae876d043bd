import { Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { SeverityLabel } from '../../../domain/SeverityLabel.tsx'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { ButtonLink } from '../../../shell/routing/links.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { Properties } from '../../../ui/lists/Properties.tsx'
import { Markdown } from '../../../ui/text/Markdown.tsx'
import { type Entry, EntryStateLabel, languagesOf, mayChange, nameOfLanguage, textIn } from '../entries.tsx'
import classes from '../library.module.css'

/** Preview of an entry next to the list. */
export const EntryPeek = ({ entryId }: { entryId: string }) => {
  const { id } = useOrganization()
  const read = useQuery(query(id, 'getLibraryEntry', { params: { entryId } }))
  return (
    <QueryView query={read} skeleton={<ListSkeleton rows={8} height={24} />}>
      {({ data }) => <Shown entry={data} />}
    </QueryView>
  )
}

const Shown = ({ entry }: { entry: Entry }) => {
  const organization = useOrganization()
  const page = paths.libraryEntry(organization.slug, entry.id)
  const { title, summary, description, recommendation } = textIn(entry, entry.mainLanguage)
  return (
    <Stack gap="lg">
      <Stack gap={6}>
        <Title order={2} pr="xl" className={classes.title}>
          {title}
        </Title>
        <Group gap="md">
          <SeverityLabel severity={entry.severity} />
          <EntryStateLabel state={entry.state} />
        </Group>
      </Stack>
      <Group gap="xs">
        <ButtonLink variant="default" size="compact-sm" to={page}>
          Open
        </ButtonLink>
        {mayChange(organization, entry) && (
          <ButtonLink variant="default" size="compact-sm" to={`${page}?view=edit`}>
            Edit texts
          </ButtonLink>
        )}
      </Group>
      {summary || description ? (
        <Markdown text={summary || description} />
      ) : (
        <Text size="sm" c="dimmed">
          No texts yet.
        </Text>
      )}
      {recommendation && (
        <section aria-label="Recommendation">
          <Title order={3} size="h5" mb={6}>
            Recommendation
          </Title>
          <Markdown text={recommendation} />
        </section>
      )}
      <Properties
        items={[
          ['Languages', languagesOf(entry).map(nameOfLanguage).join(', ')],
          ...(entry.cwe.length > 0 ? ([['CWE', entry.cwe.join(', ')]] as const) : []),
          ...(entry.rules.length > 0
            ? ([['Rules', `${entry.rules.length} of ${entry.tools.join(', ')}`]] as const)
            : []),
          ['Used', entry.usedCount === 1 ? 'In 1 finding' : `In ${entry.usedCount.toLocaleString('en')} findings`],
          ['Version', entry.version],
        ]}
      />
    </Stack>
  )
}
