import { Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { FindingStateLabel, RemediationLabel } from '../../../domain/finding-words.tsx'
import { SeverityLabel } from '../../../domain/SeverityLabel.tsx'
import { paths } from '../../../paths.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { ButtonLink } from '../../../shell/routing/links.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { Properties } from '../../../ui/lists/Properties.tsx'
import { Person } from '../../../ui/people/Person.tsx'
import { Markdown } from '../../../ui/text/Markdown.tsx'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import classes from '../findings.module.css'
import { type Finding, VERIFICATION_LABELS } from '../labels.ts'
import { DeleteForever, RestoreButton } from '../list/trash.tsx'

/** Assets of a preview; the page has all. */
const FIRST_ASSETS = 5

/** Preview of a finding next to the list. @param onGone called after it left the list */
export const FindingPeek = ({ findingId, onGone }: { findingId: string; onGone: () => void }) => {
  const organization = useOrganization()
  const read = useQuery(query(organization.id, 'getFinding', { params: { findingId } }))
  return (
    <QueryView query={read} skeleton={<ListSkeleton rows={8} height={24} />}>
      {({ data }) => <Shown finding={data} onGone={onGone} />}
    </QueryView>
  )
}

const Shown = ({ finding, onGone }: { finding: Finding; onGone: () => void }) => {
  const { slug } = useOrganization()
  const { isArchived } = useEngagement()
  const page = paths.finding(slug, finding.engagementId, finding.id)
  const isTrashed = finding.trashedAt !== null
  return (
    <Stack gap="lg">
      <Stack gap={6}>
        <Title order={2} pr="xl" className={classes.title}>
          <span className={classes.number}>{finding.number}</span> {finding.title}
        </Title>
        <Group gap="md">
          <SeverityLabel severity={finding.severity} />
          <FindingStateLabel state={finding.state} />
          <RemediationLabel status={finding.status} />
        </Group>
      </Stack>
      <Group gap="xs">
        <ButtonLink variant="default" size="compact-sm" to={page}>
          Open
        </ButtonLink>
        {!isArchived && !isTrashed && (
          <ButtonLink variant="default" size="compact-sm" to={`${page}?view=edit`}>
            Edit texts
          </ButtonLink>
        )}
        {!isArchived && isTrashed && (
          <>
            <RestoreButton ids={[finding.id]} onDone={onGone} />
            <DeleteForever finding={finding} onDone={onGone} />
          </>
        )}
      </Group>
      {finding.summary || finding.description ? (
        <Markdown text={finding.summary || finding.description} />
      ) : (
        <Text size="sm" c="dimmed">
          No texts yet.
        </Text>
      )}
      <Assets finding={finding} />
      <Facts finding={finding} />
    </Stack>
  )
}

const Assets = ({ finding }: { finding: Finding }) => {
  const organization = useOrganization()
  const read = useQuery(
    query(organization.id, 'listAffected', { params: { findingId: finding.id }, query: { perPage: FIRST_ASSETS } }),
  )
  return (
    <section aria-label="Affected assets">
      <Title order={3} size="h5" mb={6}>
        Affected assets
      </Title>
      <QueryView query={read} skeleton={<ListSkeleton rows={2} height={24} />}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <Text size="sm" c="dimmed">
              None yet.
            </Text>
          ) : (
            <>
              <ul className={classes.assets}>
                {data.map(({ id, asset }) => (
                  <li key={id}>
                    <span className="mono">{asset}</span>
                  </li>
                ))}
              </ul>
              {meta.total !== null && meta.total > data.length && (
                <Text size="sm" c="dimmed">
                  and {(meta.total - data.length).toLocaleString('en')} more
                </Text>
              )}
            </>
          )
        }
      </QueryView>
    </section>
  )
}

const Facts = ({ finding }: { finding: Finding }) => (
  <Properties
    items={[
      ...(finding.cvssScore === null ? [] : ([['CVSS', finding.cvssScore.toFixed(1)]] as const)),
      ...(finding.cwe.length > 0 ? ([['CWE', finding.cwe.join(', ')]] as const) : []),
      ...(finding.author ? ([['Author', <Person key="author" name={finding.author.name} />]] as const) : []),
      ...(finding.reviewer ? ([['Reviewer', <Person key="reviewer" name={finding.reviewer.name} />]] as const) : []),
      ['Verification', VERIFICATION_LABELS[finding.verification]],
      ['Changed', <TimeAgo key="changed" iso={finding.updatedAt} />],
      ...(finding.tags.length > 0 ? ([['Tags', finding.tags.join(', ')]] as const) : []),
    ]}
  />
)
