import { Button, Group, NativeSelect, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { linkTo, messageOf, query, useApiMutation } from '../../../api/api.ts'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { TextLink } from '../../../shell/routing/links.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { toast, toastError } from '../../../ui/feedback/toast.ts'
import { Fill } from '../../../ui/page/Fill.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import { staleReads } from '../labels.tsx'
import { coverage as route } from '../tasks.routes.ts'
import { useMethodologies } from '../use-methodologies.ts'
import { BuiltInSource } from './BuiltInSource.tsx'
import { CoverageTable } from './CoverageTable.tsx'

/** Checklist coverage: items of a methodology by target. */
export const CoveragePage = () => {
  const methodologies = useMethodologies()
  return (
    <QueryView query={methodologies} skeleton={<ListSkeleton rows={4} />}>
      {({ data }) => <ChosenCoverage methodologies={data} />}
    </QueryView>
  )
}

const ChosenCoverage = ({ methodologies }: { methodologies: Output<'listMethodologies'>['data'] }) => {
  const organization = useOrganization()
  const { engagementId } = route.useParams()
  const { methodology = methodologies[0]?.id ?? '' } = route.useSearch()
  const navigate = route.useNavigate()
  const chosen = methodologies.find(({ id }) => id === methodology)
  const input = { params: { engagementId }, query: { methodologyId: methodology } }
  const coverage = useQuery({ ...query(organization.id, 'getCoverage', input), enabled: methodology !== '' })
  const expand = useApiMutation(organization.id, 'expandMethodology', {
    invalidates: staleReads(organization.id),
    onSuccess: ({ data }) => toast(data.created === 0 ? 'All tasks already exist.' : `${data.created} tasks created.`),
    onError: (error) => toastError(messageOf(error)),
  })
  const actions = (
    <Group gap="xs">
      <Button
        variant="default"
        component="a"
        href={linkTo(organization.id, 'getCoverage', { ...input, query: { ...input.query, format: 'csv' } })}
      >
        CSV
      </Button>
      <Button
        loading={expand.isPending}
        onClick={() =>
          expand.mutate({
            params: { methodologyId: methodology },
            body: { engagementId, targets: { filter: { verdict: ['in'] } } },
          })
        }
      >
        Create tasks for targets in scope
      </Button>
    </Group>
  )
  return (
    <Page
      title="Coverage"
      description="The outcome of every check of a methodology on every target."
      actions={actions}
      layout="full"
    >
      <Group gap="sm">
        <NativeSelect
          aria-label="Methodology"
          value={methodology}
          data={methodologies.map(({ id, name, version }) => ({
            value: id,
            label: version ? `${name} ${version}` : name,
          }))}
          onChange={({ currentTarget }) =>
            void navigate({ search: { methodology: currentTarget.value }, replace: true })
          }
        />
        {methodology && (
          <TextLink to={paths.methodology(organization.slug, methodology)}>Open the methodology</TextLink>
        )}
      </Group>
      <Fill>
        <QueryView query={coverage} skeleton={<ListSkeleton rows={8} />}>
          {({ data }) => (
            <>
              <Text size="sm" role="status">
                {data.sums.untested} untested, {data.sums.pass} passed, {data.sums.fail} failed,{' '}
                {data.sums.not_applicable} not applicable; {data.missing} in scope without a task.
              </Text>
              <CoverageTable coverage={data} />
              {chosen?.builtIn && <BuiltInSource description={chosen.description} />}
            </>
          )}
        </QueryView>
      </Fill>
    </Page>
  )
}
