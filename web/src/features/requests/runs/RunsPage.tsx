import { Page } from '../../../ui/Page.tsx'
import { Frame } from '../Frame.tsx'
import { usePlace } from '../place.tsx'
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
