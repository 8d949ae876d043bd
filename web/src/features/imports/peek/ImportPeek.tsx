import { Alert, Anchor, Group, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { linkTo, query } from '../../../api/api.ts'
import { paths } from '../../../paths.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { TextLink } from '../../../shell/routing/links.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { Properties } from '../../../ui/lists/Properties.tsx'
import { capitalised } from '../../../ui/text/capitalised.ts'
import { CopyId } from '../../../ui/values/CopyId.tsx'
import { formatBytes } from '../../../ui/values/format-bytes.ts'
import { TimeAgo } from '../../../ui/values/TimeAgo.tsx'
import classes from '../imports.module.css'
import { ImportStateLabel } from '../ImportStateLabel.tsx'
import { type Import, isRunning, REFRESH_MS } from '../states.ts'
import { ImportActions } from './ImportActions.tsx'
import { ImportCounts } from './ImportCounts.tsx'
import { Rejections } from './Rejections.tsx'

/** Details of an import. @param onGone called after deletion */
export const ImportPeek = ({ importId, onGone }: { importId: string; onGone: () => void }) => {
  const organization = useOrganization()
  const read = useQuery({
    ...query(organization.id, 'getImport', { params: { importId } }),
    refetchInterval: ({ state: { data } }) => (data && isRunning(data.data) ? REFRESH_MS : false),
  })
  return (
    <QueryView query={read} skeleton={<ListSkeleton rows={6} height={24} />}>
      {({ data }) => <Shown item={data} onGone={onGone} />}
    </QueryView>
  )
}

const Shown = ({ item, onGone }: { item: Import; onGone: () => void }) => (
  <Stack gap="md">
    <Title order={2} pr="xl" className={classes.title}>
      {item.fileName}
    </Title>
    <ImportStateLabel of={item} />
    {item.stateReason && (
      <Alert color={item.state === 'failed' ? 'red' : 'yellow'} variant="light" p="xs" role="note">
        {capitalised(item.stateReason)}
      </Alert>
    )}
    <ImportActions item={item} onGone={onGone} />
    {item.state !== 'failed' && !isRunning(item) && <ImportCounts item={item} />}
    {item.warnings.length > 0 && <Warnings warnings={item.warnings} />}
    {item.counts.rejected > 0 && <Rejections importId={item.id} />}
    <Facts item={item} />
  </Stack>
)

const Warnings = ({ warnings }: { warnings: readonly string[] }) => (
  <section aria-label="Warnings">
    <Title order={3} size="h5" mb={6}>
      Warnings
    </Title>
    <ul className={classes.list}>
      {warnings.map((warning) => (
        <li key={warning}>{warning}</li>
      ))}
    </ul>
  </section>
)

const Facts = ({ item }: { item: Import }) => {
  const organization = useOrganization()
  const { engagement } = useEngagement()
  const file = linkTo(organization.id, 'downloadImport', { params: { importId: item.id } })
  return (
    <Properties
      items={[
        ['Tool', [item.tool ?? 'unknown', item.toolVersion ?? ''].join(' ').trim()],
        ['Format', item.format ?? 'not detected yet'],
        [
          'File',
          <Group key="file" gap="xs">
            {formatBytes(item.size)}
            <Anchor href={file} download={item.fileName} inherit>
              Download
            </Anchor>
          </Group>,
        ],
        ['SHA-256', <code key="hash">{item.sha256}</code>],
        ...(item.duplicateOf
          ? ([
              [
                'Same file as',
                <TextLink
                  key="duplicate"
                  to={`${paths.imports(organization.slug, engagement.id)}?peek=${item.duplicateOf}`}
                >
                  an earlier import
                </TextLink>,
              ],
            ] as const)
          : []),
        ['Imported by', item.createdBy?.name ?? 'An API key'],
        ['Imported', <TimeAgo key="time" iso={item.createdAt} />],
        ...(item.seenAt !== null ? ([['Seen', <TimeAgo key="seen" iso={item.seenAt} />]] as const) : []),
        ['Id', <CopyId key="id" id={item.id} />],
      ]}
    />
  )
}
