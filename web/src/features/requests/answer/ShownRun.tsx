import { useQuery } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { usePlace } from '../place.tsx'
import { Answer } from './Answer.tsx'

/** Loads and shows a run. */
export const ShownRun = ({ runId }: { runId: string }) => {
  const { organizationId } = usePlace()
  const run = useQuery(query(organizationId, 'getRequestRun', { params: { runId } }))
  return <QueryView query={run}>{({ data }) => <Answer key={data.id} run={data} />}</QueryView>
}
