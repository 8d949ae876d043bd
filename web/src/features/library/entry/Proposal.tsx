import { Alert, Group, Text } from '@mantine/core'
import { paths } from '../../../paths.ts'
import { isAdmin, useOrganization } from '../../../shell/context/organization.tsx'
import { TextLink } from '../../../shell/routing/links.tsx'
import type { Entry } from '../entries.tsx'

/**
 * Where a proposal comes from, who sees it, and what seems to belong to the client in its texts. Nothing for other
 * entries.
 */
export const Proposal = ({ entry, clientData }: { entry: Entry; clientData: readonly string[] }) => {
  const organization = useOrganization()
  if (entry.fromFindingId === null) {
    if (entry.state !== 'proposed' || isAdmin(organization)) return null
    return (
      <Text size="sm" c="dimmed">
        Waiting for the owner or an admin to approve it.
      </Text>
    )
  }
  return (
    <Alert color={clientData.length > 0 ? 'yellow' : 'blue'} variant="light" title="Proposed from a finding">
      <Text size="sm">
        Only those who see the engagement of{' '}
        <TextLink to={paths.findingById(organization.slug, entry.fromFindingId)}>its finding</TextLink> see it until the
        owner or an admin approves it.
      </Text>
      {clientData.length > 0 && (
        <>
          <Text size="sm" mt="xs">
            These seem to belong to the client. Replace them in the texts, or confirm them when you approve:
          </Text>
          <Group
            gap="md"
            mt={6}
            component="ul"
            style={{ listStyle: 'none', padding: 0 }}
            aria-label="Data of the client"
          >
            {clientData.map((found) => (
              <li key={found}>
                <code>{found}</code>
              </li>
            ))}
          </Group>
        </>
      )}
    </Alert>
  )
}
