import { useQuery } from '@tanstack/react-query'
import { query } from '../../../../../api/api.ts'
import { isUnderWay, SCAN_REFRESH_MS, ScanStateLabel } from '../../../../../domain/scan-states.tsx'
import { paths } from '../../../../../paths.ts'
import { useOrganization } from '../../../../../shell/context/organization.tsx'
import { TextLink } from '../../../../../shell/routing/links.tsx'
import { Properties } from '../../../../../ui/lists/Properties.tsx'
import { TimeAgo } from '../../../../../ui/values/TimeAgo.tsx'

/** The scan that found it, and the one that repeats it; its results are on its page. */
export const ScanProof = ({ scanId, againId }: { scanId: string; againId: string | undefined }) => (
  <Properties
    items={[
      ['Recorded', <ScanLine key="recorded" scanId={scanId} />],
      ...(againId === undefined ? [] : ([['Now', <ScanLine key="now" scanId={againId} />]] as const)),
    ]}
  />
)

const ScanLine = ({ scanId }: { scanId: string }) => {
  const { id, slug } = useOrganization()
  const { data } = useQuery({
    ...query(id, 'getScan', { params: { scanId } }),
    retry: false,
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data.data) ? SCAN_REFRESH_MS : false),
  })
  const scan = data?.data
  return (
    <>
      <TextLink to={paths.scan(slug, scanId)}>Open the scan</TextLink> {scan && <ScanStateLabel of={scan} />}{' '}
      {scan && <TimeAgo iso={scan.createdAt} />}
    </>
  )
}
