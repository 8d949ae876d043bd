import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../../api/api.ts'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { CopyButton } from '../../../ui/values/CopyButton.tsx'
import { usePlace } from '../place.tsx'
import classes from '../requests.module.css'

/** A saved request as a shell command. */
export const CurlDialog = ({ requestId, onClose }: { requestId: string; onClose: () => void }) => {
  const { organizationId } = usePlace()
  const read = useQuery(query(organizationId, 'getApiRequestCurl', { params: { requestId } }))
  return (
    <Dialog opened onClose={onClose} title="cURL command" size="lg">
      <QueryView query={read}>
        {({ data }) => (
          <Stack gap="md">
            <Text size="sm">The saved version. Variables and secrets appear as names in braces.</Text>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable regions must be reachable by keyboard */}
            <pre className={classes.curl} tabIndex={0}>
              {data.curl}
            </pre>
            <Group justify="flex-end">
              <CopyButton value={data.curl} />
            </Group>
          </Stack>
        )}
      </QueryView>
    </Dialog>
  )
}
