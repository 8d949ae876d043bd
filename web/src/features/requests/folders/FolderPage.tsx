import { useQuery } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { Page, Section } from '../../../ui/page/Page.tsx'
import { EnvironmentChoice } from '../environments/EnvironmentChoice.tsx'
import { useChosenEnvironment } from '../environments/use-environments.ts'
import { type RequestFolder, usePlace } from '../place.tsx'
import { Frame } from '../tree/Frame.tsx'
import { FolderAuth } from './FolderAuth.tsx'
import { FolderMenu } from './FolderMenu.tsx'
import { Order } from './Order.tsx'
import { Sequences } from './Sequences.tsx'

/** A folder: its requests in sequence order, authentication and sequences. */
export const FolderPage = ({ folderId }: { folderId: string }) => {
  const { organizationId } = usePlace()
  const read = useQuery(query(organizationId, 'getRequestFolder', { params: { folderId } }))
  return (
    <Frame folderId={folderId}>
      {<QueryView query={read}>{({ data }) => <OpenFolder folder={data} />}</QueryView>}
    </Frame>
  )
}

const OpenFolder = ({ folder }: { folder: RequestFolder }) => {
  const { name, mayWrite } = usePlace()
  const environments = useChosenEnvironment()
  return (
    <Page
      title={folder.name}
      documentTitle={`${folder.name} · ${name}`}
      actions={
        <>
          <EnvironmentChoice {...environments} />
          {mayWrite && <FolderMenu folder={folder} />}
        </>
      }
    >
      <Section title="Requests" description="In the order in which a sequence sends them.">
        <Order folderId={folder.id} />
      </Section>
      <Section
        title="Sequences"
        description="All requests one after the other. Values captured by one are variables of the next."
      >
        <Sequences folderId={folder.id} environmentId={environments.environment?.id} />
      </Section>
      <Section title="Authentication" description="For requests and folders that inherit it.">
        <FolderAuth folder={folder} />
      </Section>
    </Page>
  )
}
