import { Page } from '../../../ui/page/Page.tsx'
import { usePlace } from '../place.tsx'
import { Frame } from '../tree/Frame.tsx'
import { RunList } from './RunList.tsx'

/** List of everything that was sent. */
export const RunsPage = () => {
  const { name } = usePlace()
  return (
    <Frame>
      <Page title="All runs" documentTitle={`All runs · ${name}`} layout="list">
        <RunList />
      </Page>
    </Frame>
  )
}
