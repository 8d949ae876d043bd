import { Button, CloseButton, Group, Text, TextInput } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { linkTo, query } from '../../../api/api.ts'
import { paths } from '../../../paths.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { TextLink } from '../../../shell/routing/links.tsx'
import { useShortcuts } from '../../../ui/commands/commands.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { IconFilter } from '../../../ui/icons.tsx'
import { lazyPart } from '../../../ui/load-part.ts'
import { Fill } from '../../../ui/page/Fill.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import { coverage as route } from '../tasks.routes.ts'
import { useMethodologies } from '../use-methodologies.ts'
import { BuiltInSource } from './BuiltInSource.tsx'
import { CoverageGrid } from './CoverageGrid.tsx'

const CreateChecks = lazyPart(() => import('./CreateChecks.tsx'), 'CreateChecks')

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
  const { engagement, isArchived } = useEngagement()
  const { methodology = '', peek } = route.useSearch()
  const newest = useQuery({
    ...query(organization.id, 'listTasks', {
      query: {
        engagementId: engagement.id,
        methodologyId: methodologies.map(({ id }) => id),
        sort: 'updatedAt',
        order: 'desc',
        perPage: 1,
      },
    }),
    enabled: methodology === '' && methodologies.length > 0,
  })
  const navigate = route.useNavigate()
  const first = newest.data?.data[0]?.check?.methodologyId ?? methodologies[0]?.id
  const isKnown = newest.isSuccess || newest.isError
  // In the address, so that a change of another checklist does not switch the page.
  useEffect(() => {
    if (methodology === '' && isKnown && first)
      void navigate({ search: (before) => ({ ...before, methodology: first }), replace: true })
  }, [methodology, isKnown, first, navigate])
  const [isCreating, setCreating] = useState(false)
  const [filter, setFilter] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const chosen = methodologies.find(({ id }) => id === methodology)
  const input = { params: { engagementId: engagement.id }, query: { methodologyId: methodology } }
  const coverage = useQuery({ ...query(organization.id, 'getCoverage', input), enabled: methodology !== '' })
  useShortcuts([
    {
      id: 'filter',
      label: 'Filter the checks',
      group: 'This page',
      icon: IconFilter,
      shortcut: '/',
      run: () => field.current?.focus(),
    },
    ...(isArchived
      ? []
      : [{ id: 'create', label: 'Create tasks', group: 'This page', shortcut: 'c', run: () => setCreating(true) }]),
  ])
  const setPeek = (taskId: string | undefined, isFollowing: boolean) =>
    void navigate({
      search: ({ peek: _, ...rest }) => (taskId === undefined ? rest : { ...rest, peek: taskId }),
      replace: isFollowing,
    })
  const hasTasks = (coverage.data?.data.cells.length ?? 0) > 0
  const createButton = !isArchived && (
    <Button variant={hasTasks ? 'default' : 'filled'} onClick={() => setCreating(true)}>
      Create tasks
    </Button>
  )
  const actions = (
    <Group gap="xs">
      <Button
        variant="default"
        component="a"
        href={linkTo(organization.id, 'getCoverage', { ...input, query: { ...input.query, format: 'csv' } })}
      >
        CSV
      </Button>
      {hasTasks && createButton}
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
        <Choice
          size="xs"
          w={280}
          maw="100%"
          aria-label="Methodology"
          value={methodology}
          data={methodologies.map(({ id, name, version }) => ({
            value: id,
            label: version ? `${name} ${version}` : name,
          }))}
          onChange={(chosen) => void navigate({ search: { methodology: chosen }, replace: true })}
        />
        {hasTasks && (
          <TextInput
            ref={field}
            size="xs"
            aria-label="Filter"
            placeholder="Filter checks"
            leftSection={<IconFilter size={14} aria-hidden />}
            rightSection={
              filter && <CloseButton size="xs" aria-label="Clear the filter" onClick={() => setFilter('')} />
            }
            value={filter}
            onChange={({ currentTarget }) => setFilter(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Escape') setFilter('')
              if (event.key === 'Escape' || event.key === 'Enter')
                document.querySelector<HTMLElement>('[role="grid"]')?.focus()
            }}
          />
        )}
        {methodology && (
          <Text size="sm">
            <TextLink to={paths.methodology(organization.slug, methodology)}>Open the methodology</TextLink>
          </Text>
        )}
      </Group>
      <Fill>
        <QueryView query={coverage} skeleton={<ListSkeleton rows={8} />}>
          {({ data }) => (
            <>
              {data.cells.length === 0 ? (
                <EmptyState title="No tasks from this methodology yet" action={createButton}>
                  Create its tasks: one for each check and each target that it applies to.
                </EmptyState>
              ) : (
                <CoverageGrid
                  key={`${engagement.id} ${methodology}`}
                  coverage={data}
                  filter={filter}
                  isReadOnly={isArchived}
                  peek={peek}
                  onPeek={setPeek}
                />
              )}
              {chosen?.builtIn && <BuiltInSource description={chosen.description} />}
            </>
          )}
        </QueryView>
      </Fill>
      <Suspense>
        {isCreating && (
          <CreateChecks engagementId={engagement.id} methodologyId={methodology} onClose={() => setCreating(false)} />
        )}
      </Suspense>
    </Page>
  )
}
