import { useQuery } from '@tanstack/react-query'
import { query } from '../../../api.ts'
import { ButtonLink } from '../../../shell/links.tsx'
import { QueryView } from '../../../shell/QueryView.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Answer } from '../answer/Answer.tsx'
import { Frame } from '../Frame.tsx'
import { usePlace } from '../place.tsx'

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
