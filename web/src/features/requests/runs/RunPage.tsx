import { useQuery } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { ButtonLink } from '../../../shell/routing/links.tsx'
import { Page } from '../../../ui/page/Page.tsx'
import { Answer } from '../answer/Answer.tsx'
import { usePlace } from '../place.tsx'
import { Frame } from '../tree/Frame.tsx'

/** One run on its own page, linked from lists and sequences. */
export const RunPage = ({ runId }: { runId: string }) => {
  const { organizationId, name, addressOf } = usePlace()
  const run = useQuery(query(organizationId, 'getRequestRun', { params: { runId } }))
  return (
    <Frame>
      <QueryView query={run}>
        {({ data }) => (
          <Page
            title={`${data.method} ${data.url}`.slice(0, 200)}
            documentTitle={`Run · ${name}`}
            layout="list"
            actions={
              <>
                {data.sequenceId !== null && (
                  <ButtonLink to={addressOf(data.sequenceId)} variant="default">
                    Its sequence
                  </ButtonLink>
                )}
                {data.requestId !== null && (
                  <ButtonLink to={addressOf(data.requestId)} variant="default">
                    Open the request
                  </ButtonLink>
                )}
              </>
            }
          >
            <Answer run={data} />
          </Page>
        )}
      </QueryView>
    </Frame>
  )
}
