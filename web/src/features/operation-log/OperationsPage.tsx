import { Button } from '@mantine/core'
import { useEngagement } from '../../shell/context/engagement.tsx'
import { useShortcuts } from '../../ui/commands/commands.ts'
import { IconPencil } from '../../ui/page-icons.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { OperationLog } from './log/OperationLog.tsx'
import { list as route } from './operation-log.routes.ts'
import { WithoutEngagement } from './WithoutEngagement.tsx'
import { WriteDialog } from './WriteDialog.tsx'

/** The operation log of an engagement: source, destination, time and user. */
export const OperationsPage = () => {
  const { engagement, isArchived } = useEngagement()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const setWriting = (wanted: boolean) =>
    void navigate({
      search: ({ write: _, ...rest }) => (wanted ? { ...rest, write: true as const } : rest),
      replace: true,
    })
  useShortcuts(
    isArchived
      ? []
      : [{ id: 'create', label: 'Add an entry', group: 'This page', shortcut: 'c', run: () => setWriting(true) }],
  )
  const writeButton = !isArchived && (
    <Button leftSection={<IconPencil size={14} aria-hidden />} onClick={() => setWriting(true)}>
      Add entry
    </Button>
  )
  return (
    <Page
      title="Operation log"
      documentTitle={`Operation log · ${engagement.name}`}
      description="All traffic to the client's systems: source, destination, time and user."
      layout="full"
      actions={writeButton}
    >
      <OperationLog
        place={{ engagementId: engagement.id }}
        search={search}
        onSearch={(wanted, isKept) => void navigate({ search: wanted, replace: isKept })}
        action={writeButton}
      >
        <WithoutEngagement search={search} />
      </OperationLog>
      {!isArchived && search.write && <WriteDialog onClose={() => setWriting(false)} />}
    </Page>
  )
}
