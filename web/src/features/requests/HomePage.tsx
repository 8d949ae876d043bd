import { Button, Group, Menu } from '@mantine/core'
import { EXPORT_FORMATS } from '@sortie/contract/requests/request-transfer.ts'
import { useQuery } from '@tanstack/react-query'
import { linkTo } from '../../api/api.ts'
import { QueryView } from '../../shell/reads/QueryView.tsx'
import { DropdownMenu } from '../../ui/dialogs/DropdownMenu.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { IconArrowsExchange } from '../../ui/icons.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { usePlace } from './place.tsx'
import { AddMenu } from './tree/AddMenu.tsx'
import { Frame } from './tree/Frame.tsx'
import { useSaved } from './tree/tree.ts'

/** Requests page while nothing is open. */
export const HomePage = () => {
  const { name, engagementId, mayWrite } = usePlace()
  const saved = useSaved()
  const requests = useQuery(saved.requests)
  return (
    <Frame isHome>
      <Page
        title="Requests"
        documentTitle={`Requests · ${name}`}
        description={
          engagementId === null ? 'The library of the organization: they can be copied into engagements.' : undefined
        }
        actions={<Export />}
      >
        <QueryView query={requests}>
          {(all) => (
            <EmptyState
              icon={<IconArrowsExchange size={32} stroke={1.4} />}
              title={all.length === 0 ? 'No requests yet' : 'Choose a request'}
              action={all.length === 0 && mayWrite && <AddMenu folderId={null} isFirst />}
            >
              HTTP requests that the team saves and shares, and sends from the server. Requests out of scope are not
              sent, and secrets of environments are never shown. A cURL command can be pasted as the address;
              collections of Postman, OpenAPI documents and HAR files can be imported.
            </EmptyState>
          )}
        </QueryView>
      </Page>
    </Frame>
  )
}

const FORMAT_LABELS = { postman: 'Postman collection', openapi: 'OpenAPI document', har: 'HAR file' } as const

const Export = () => {
  const { organizationId, engagementId } = usePlace()
  return (
    <Group gap="xs">
      <DropdownMenu position="bottom-end" target={<Button variant="default">Export</Button>}>
        {EXPORT_FORMATS.map((format) => (
          <Menu.Item
            key={format}
            component="a"
            href={linkTo(organizationId, 'exportApiRequests', {
              query: { format, ...(engagementId !== null && { engagementId }) },
            })}
            download
          >
            {FORMAT_LABELS[format]}
          </Menu.Item>
        ))}
      </DropdownMenu>
    </Group>
  )
}
