import { Alert, Stack, Text } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { paths } from '../../paths.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { TextLink } from '../../shell/routing/links.tsx'
import type { Settings } from './settings.ts'
import { SettingSwitch } from './SettingSwitch.tsx'

type Domain = Output<'listDomains'>['data'][number]

const inWords = new Intl.ListFormat('en', { type: 'disjunction' })

export const DomainAutoJoin = ({ settings, domains }: { settings: Settings; domains: readonly Domain[] }) => {
  const { name, slug } = useOrganization()
  const proved = domains.filter((domain) => domain.proved)
  const names = inWords.format(proved.map(({ domain }) => domain))
  const contested = proved.filter((domain) => domain.contested)
  return (
    <SettingSwitch
      setting="domainAutoJoin"
      settings={settings}
      title="Joining by domain"
      description="People with an address at a verified domain join as members when they sign in, without an invitation."
      label="Let people with verified domains join"
      {...(proved.length === 0 && {
        obstacle: (
          <Text size="sm">
            To switch this on, <TextLink to={paths.domains(slug)}>verify a domain</TextLink> first.
          </Text>
        ),
      })}
      on={{
        title: 'Let people join by their domain?',
        text: (
          <Stack gap="xs">
            <Text size="sm">
              Everyone who signs in to this server with an address at {names} becomes a member of {name} and sees what
              members see, without approval; the audit log records who joined.
            </Text>
            <Text size="sm">Former members and people with a pending invitation can join by invitation only.</Text>
          </Stack>
        ),
        confirmLabel: 'Let them join',
      }}
      off={{
        title: 'No longer let people join by their domain?',
        text: 'From now on everyone needs an invitation. Existing members stay.',
        confirmLabel: 'Turn off',
      }}
      done={['Joining by domain is on.', 'Joining by domain is off.']}
    >
      {proved.length > 0 && (
        <Text size="sm">
          Verified: {proved.map(({ domain }) => domain).join(', ')}.{' '}
          <TextLink to={paths.domains(slug)}>Domains</TextLink>
        </Text>
      )}
      {contested.length > 0 && (
        <Alert color="yellow" variant="light">
          Another organization of this server has verified {inWords.format(contested.map(({ domain }) => domain))} too,
          so no one can join by it.
        </Alert>
      )}
    </SettingSwitch>
  )
}
